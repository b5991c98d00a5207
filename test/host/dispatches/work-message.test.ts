import { expect, it } from 'vitest';
import { messageActor, workMessage } from '../../../src/host/dispatches/work-message.js';
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

it.each([
  ['FAIL a\n\n', 'The check `npm test` failed. The end of what it printed:\n\nFAIL a\n\nPlease fix this.'],
  ['\n', 'The check `npm test` failed and printed nothing.\n\nPlease fix this.'],
])('an agent is told what a check printed, or that it printed nothing: %j', (verificationOutput, told) => {
  const work = { text: 'Do it.', verify: 'npm test', hasSession: true, isClosing: false };
  expect(workMessage({ ...work, before: { ...before, verificationOutput } })).toBe(told);
});
