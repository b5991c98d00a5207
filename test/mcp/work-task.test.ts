import { expect, it } from 'vitest';
import { workTask } from '../../src/mcp/work-task.js';
import { Dispatch } from '../../src/protocol/dispatch.js';

const base = {
  id: 'dsp_01k9w00000000000000000000a',
  threadId: 'thr_01k9w00000000000000000000a',
  text: 'Do it',
  actor: 'user:owner',
  priority: 0,
  attempts: [],
  createdAt: '2026-01-02T03:04:05.000Z',
};
const outcome = {
  exitCode: 0,
  retriable: false,
  execution: { kind: 'completed' },
  claim: 'success',
  verification: 'not_run',
};

it.each([
  [{ state: 'queued' }, 'working'],
  [{ state: 'running' }, 'working'],
  [{ state: 'waiting' }, 'input_required'],
  [{ state: 'ended', outcome: { ...outcome, result: 'succeeded' } }, 'completed'],
  [{ state: 'ended', outcome: { ...outcome, result: 'failed', exitCode: 1 } }, 'failed'],
  [{ state: 'ended', outcome: { ...outcome, result: 'blocked', exitCode: 2 } }, 'failed'],
  [{ state: 'ended', outcome: { ...outcome, result: 'cancelled', exitCode: 130 } }, 'cancelled'],
] as const)('%j is a task that is %s', (fields, status) => {
  expect(workTask(Dispatch.parse({ ...base, ...fields }))).toMatchObject({
    taskId: base.id,
    status,
    ttl: null,
  });
});
