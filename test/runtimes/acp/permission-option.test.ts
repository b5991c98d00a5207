import { expect, it } from 'vitest';
import { allowingOnce, cancelled, refusing } from '../../../src/runtimes/acp/permission-option.js';
import type { WireOption } from '../../../src/runtimes/acp/wire.js';

const option = (kind: string, optionId = kind): WireOption => ({ kind, optionId });
const chosen = (optionId: string) => ({ outcome: 'selected', optionId });
const once = option('allow_once');
const always = option('allow_always');

// The options as four agents send them, and as nobody should.
it.each<[string, WireOption[], object | null, object]>([
  [
    'gemini',
    [
      option('allow_always', 'proceed_always'),
      option('allow_once', 'proceed_once'),
      option('reject_once', 'cancel'),
    ],
    chosen('proceed_once'),
    chosen('cancel'),
  ],
  [
    'codex-acp',
    [
      option('allow_once'),
      option('allow_always', 'accept_execpolicy_amendment'),
      option('reject_once', 'cancel'),
    ],
    chosen('allow_once'),
    chosen('cancel'),
  ],
  ['only for ever', [always, option('reject_once')], null, chosen('reject_once')],
  [
    'two of a kind',
    [once, option('allow_once', 'other'), option('reject_always')],
    null,
    chosen('reject_always'),
  ],
  [
    'both refusals',
    [once, option('reject_always'), option('reject_once')],
    chosen('allow_once'),
    chosen('reject_once'),
  ],
  ['a kind that nobody knows', [option('allow_sometimes')], null, cancelled],
  ['nothing', [], null, cancelled],
])(
  'allows exactly one call and refuses exactly one, where it can: %s',
  (_name, options, allowed, refused) => {
    expect([allowingOnce(options), refusing(options)]).toEqual([allowed, refused]);
  },
);
