import { expect, it } from 'vitest';
import { messageActor } from '../../../src/host/dispatches/work-message.js';
import type { Outcome } from '../../../src/protocol/outcome.js';

const before: Outcome = {
  result: 'failed',
  exitCode: 1,
  retriable: true,
  execution: { kind: 'completed' },
  claim: 'success',
  verification: 'failed',
};

it.each<[string, Outcome | undefined, string]>([
  ['the first try', undefined, 'user:ada'],
  ['what a check found', before, 'policy:verification'],
  ['another try', { ...before, verification: 'not_run' }, 'policy:retry'],
])('%s is said by whoever says it', (_what, outcome, actor) => {
  expect(messageActor('user:ada', outcome)).toBe(actor);
});
