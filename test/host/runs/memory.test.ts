// @module-tag full
import { expect, test } from 'vitest';
import { RunMemory } from '../../../src/process/children/run-memory.js';
import { openHostStage } from '../host-stage.js';

const canMakeGroups = RunMemory.isPossible();

test.runIf(canMakeGroups)('work whose agent needs more memory than it may have ends as that', async () => {
  const at = await openHostStage();
  const { outcome, threadId } = await at.done('[[text Never.]]', {
    posture: { memoryLimit: '64M' },
    retries: 0,
  });
  expect(outcome).toMatchObject({ exitCode: 1, reason: 'oom', execution: { kind: 'oomKilled' } });
  expect(await at.status(threadId, 'oomKilled')).toMatchObject({ source: 'process' });
});

test.skipIf(canMakeGroups)('memory of work (skipped: this user may make no control group)', () => {});
