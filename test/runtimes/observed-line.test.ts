import { expect, test } from 'vitest';
import { lineNews } from '../../src/runtimes/observed-line.js';

const call = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' } };

test.each<[string, unknown, object]>([
  ['busy', { status: 'busy' }, { fact: 'said_busy' }],
  ['a question', { status: 'question', prompt: 'Which?' }, { fact: 'said_asking', asked: 'Which?' }],
  ['idle', { status: 'idle' }, { fact: 'said_idle' }],
  ['the beginning of a turn', { type: 'system', subtype: 'init' }, { fact: 'turn_started' }],
  ['words of the agent', { type: 'assistant', message: {} }, { fact: 'turn_started' }],
  ['the end of a turn', { type: 'result', subtype: 'success' }, { fact: 'turn_ended' }],
  [
    'a call to be allowed',
    { type: 'control_request', request: call },
    { fact: 'said_asking', asked: 'Run ls?' },
  ],
  [
    'its own state',
    { type: 'system', subtype: 'session_state_changed', state: 'idle' },
    { fact: 'said_idle' },
  ],
  ['a turn of codex exec', { type: 'turn.started' }, { fact: 'turn_started' }],
  ['its end', { type: 'turn.failed', error: {} }, { fact: 'turn_ended' }],
  ['evidence of a runner', { type: 'status_evidence', fact: 'tool_started' }, { fact: 'tool_started' }],
  ['evidence of nothing', { type: 'status_evidence', fact: 'won' }, { fact: 'sign_of_life' }],
  ['what nobody knows', { type: 'constructor', subtype: '__proto__' }, { fact: 'sign_of_life' }],
  ['no JSON', 'hello', { fact: 'sign_of_life' }],
  ['nothing', null, { fact: 'sign_of_life' }],
])('%s', (_, line, news) => {
  expect(lineNews(line)).toEqual(news);
});
