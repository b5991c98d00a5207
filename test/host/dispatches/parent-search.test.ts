// Work that the agent of other work asks for: whose it is, is what the kernel says about the caller.
import { expect, test } from 'vitest';
import type { Dispatch } from '../../../src/protocol/dispatch.js';
import { waitUntil } from '../../harness/wait-until.js';
import { openHostStage } from '../host-stage.js';

const helper = 'user:helper';
const sleeping = { runtime: 'exec', posture: { command: 'sleep 600' } } as const;

test('work of an agent is linked to the work whose runner started the caller, three deep at most', async () => {
  const at = await openHostStage({ slots: 8 });
  const runnerOf = async ({ threadId }: Dispatch) => {
    const known = async () => (await at.store.query('runs', { threadId, ended: false })).rows[0]?.process;
    await waitUntil('the runner is known', async () => (await known()) !== undefined);
    const process = await known();
    if (!process) throw new Error('The runner has ended.');
    return process;
  };
  const ask = async (parent: Dispatch) =>
    await at.host.dispatches.submit(
      { text: 'child', workspace: { path: at.folder() }, permissions: 'approval' },
      { actor: helper, callers: [await runnerOf(parent)] },
    );
  let work = await at.reached(await at.work('person', sleeping), 'running');
  const line = [work.id];
  for (let depth = 1; depth <= 3; depth += 1) {
    const { dispatch } = await ask(work);
    expect(dispatch.parent).toBe(work.id);
    work = await at.reached(dispatch, 'running');
    line.push(work.id);
    // The whole posture is the parent's: here a command, which no agent could choose.
    const thread = await at.store.query('thread', { id: work.threadId });
    expect(thread?.launch).toMatchObject({ permissions: 'autonomous', posture: { command: 'sleep 600' } });
  }
  await expect(ask(work)).rejects.toThrow('it cannot ask for more');

  const { rows } = await at.host.dispatches.list({ parent: line[0] as never });
  expect(rows.map(({ id }) => id)).toEqual([line[1]]);
  const since = new Date(0).toISOString();
  const { rows: given } = await at.host.dispatches.list({ by: { actor: helper, since } });
  expect(given.map(({ id }) => id)).toEqual(line.slice(1));

  // A process that no runner of ours has started has no parent, whatever it says.
  const runner = await runnerOf(work);
  const stranger = await at.host.dispatches.submit(
    { text: 'stranger', workspace: { path: at.folder() }, ...sleeping },
    { actor: helper, callers: [{ ...runner, startTime: '1' }] },
  );
  expect(stranger.dispatch.parent).toBeUndefined();
});
