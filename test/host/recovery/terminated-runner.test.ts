// @module-tag full
// A machine that goes down ends every process with SIGTERM. Nobody has answered or called off anything by that.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { waitUntil } from '../../harness/wait-until.js';
import { type HostStage, openHostStage, owner } from '../host-stage.js';

const asks = '[[ask Which? | A | B]] [[next]] [[text Thanks.]]';

/** Ends the runner, with a worker there or none, and waits until a worker has recorded its end. */
async function terminate(at: HostStage, threadId: Parameters<HostStage['thread']>[0], isWatched: boolean) {
  const { rows } = await at.store.query('runs', { threadId, ended: false });
  const pid = rows[0]?.process?.pid;
  if (pid === undefined) throw new Error('no runner');
  if (!isWatched) await at.leave();
  process.kill(pid, 'SIGTERM');
  if (!isWatched) {
    await waitUntil('the runner is gone', () => !existsSync(`/proc/${pid}`));
    await at.open();
  }
  await at.firstEvent(threadId, 'run_ended');
}

describe.each(['claude', 'codex'] as const)('%s', (runtime) => {
  test.each([
    ['a worker', true],
    ['no worker', false],
  ])('a question outlives the SIGTERM of its runner with %s there', async (_who, isWatched) => {
    const at = await openHostStage({ retries: 0 }, runtime);
    const dispatch = await at.work(asks);
    const prompt = await at.asked(dispatch.threadId);
    await terminate(at, dispatch.threadId, isWatched);
    expect(await at.host.prompts.get(prompt.id)).toMatchObject({ state: 'pending' });
    expect((await at.host.dispatches.get(dispatch.id)).state).toBe('waiting');
    await at.host.prompts.answer(prompt.id, { text: '2' }, owner);
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded' });
    expect(await at.host.prompts.get(prompt.id)).toMatchObject({
      state: 'answered',
      consumedAt: expect.any(String),
    });
    const heard = JSON.stringify(at.stage.simulator.modelRequests().at(-1)?.conversation);
    expect(heard).toContain('B');
  });

  test('work outlives the SIGTERM of its runner by a further try', async () => {
    const at = await openHostStage({ retries: 1 }, runtime);
    const workspace = at.folder();
    const began = join(workspace, 'began');
    const command = 'if [ -e began ]; then echo again; else touch began; sleep 600; fi';
    const tool =
      runtime === 'claude'
        ? `[[tool Bash ${JSON.stringify({ command })}]]`
        : `[[tool exec_command ${JSON.stringify({ cmd: command })}]]`;
    const dispatch = await at.work(`${tool} [[next]] [[text Done.]]`, {
      workspace: { path: workspace },
      permissions: 'autonomous',
    });
    await waitUntil('the command runs', () => existsSync(began));
    await terminate(at, dispatch.threadId, true);
    const { outcome, attempts } = await at.ended(dispatch);
    expect(outcome).toMatchObject({ result: 'succeeded' });
    expect(attempts.map((attempt) => attempt.outcome?.result)).toEqual(['failed', 'succeeded']);
  });
});
