// @module-tag full
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DispatchRequest } from '../../../src/protocol/dispatch.js';
import type { ThreadId } from '../../../src/protocol/id.js';
import type { Landing } from '../../../src/protocol/landing.js';
import { waitUntil } from '../../harness/wait-until.js';
import { landingProcess } from './landing-process.js';
import { type LandingStage, openLandingStage } from './landing-stage.js';
import { openPullRequestStage } from './pull-request-stage.js';

/** Lets an agent work in a worktree, to its end; gives the work and its thread. */
async function works(
  { at, repository }: LandingStage,
  {
    command,
    onSuccess,
    verifyMerged,
  }: { readonly command: string } & Pick<DispatchRequest, 'onSuccess' | 'verifyMerged'>,
) {
  const { id } = await at.work('go', {
    workspace: { path: repository, worktree: true },
    runtime: 'exec',
    posture: { command: `sh -c ${JSON.stringify(command)}` },
    title: 'Fix it',
    ...(onSuccess && { onSuccess }),
    ...(verifyMerged !== undefined && { verifyMerged }),
  });
  return await at.host.dispatches.ended(id, AbortSignal.timeout(120_000));
}

async function landed({ at }: LandingStage, threadId: ThreadId): Promise<Landing> {
  const last = async () => (await at.host.landings.list(threadId)).find(({ kind }) => kind !== 'watch');
  await waitUntil('the landing is over', async () => !['begun', undefined].includes((await last())?.state));
  const landing = await last();
  if (!landing) throw new Error('There is no landing.');
  return landing;
}

it('merges work that succeeded, leaves it on a conflict, and does nothing for work that failed', async () => {
  const stage = await openLandingStage();
  const { at, git } = stage;
  const first = await works(stage, { command: 'echo new > c.txt', onSuccess: 'merge' });
  expect(first.onSuccess).toBe('merge');
  expect(await landed(stage, first.threadId)).toMatchObject({
    kind: 'merge',
    state: 'done',
    afterDispatch: first.id,
    commit: git('rev-parse', 'main'),
  });
  expect(stage.read('c.txt')).toBe('new\n');
  expect((await at.events(first.threadId)).map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/^Merged into main as .* \(merge, by user:owner\)$/),
  );

  // The user commits while the agent works.
  const mine = `echo mine > ${join(stage.repository, 'a.txt')}; git -C ${stage.repository} commit -qam Mine`;
  const second = await works(stage, { command: `echo agent > a.txt; ${mine}`, onSuccess: 'merge' });
  const before = git('rev-parse', 'main');
  expect(await landed(stage, second.threadId)).toMatchObject({ state: 'conflicted', conflicts: ['a.txt'] });
  expect([git('rev-parse', 'main'), git('status', '--porcelain')]).toEqual([before, '']);

  const failed = await works(stage, { command: 'echo x > d.txt; false', onSuccess: 'merge' });
  expect([failed.outcome?.result, await at.host.landings.list(failed.threadId)]).toEqual(['failed', []]);
  const kept = await works(stage, { command: 'echo x > d.txt', onSuccess: 'keep' });
  expect(await at.host.landings.list(kept.threadId)).toEqual([]);

  writeFileSync(join(stage.repository, 'staged.txt'), 'mine\n');
  git('add', '.');
  const refused = await works(stage, { command: 'echo x > e.txt', onSuccess: 'merge' });
  expect(await landed(stage, refused.threadId)).toMatchObject({
    state: 'failed',
    sentence: expect.stringContaining('something is staged there'),
  });
  await expect(at.work('go', { workspace: { path: stage.repository }, onSuccess: 'merge' })).rejects.toThrow(
    'onSuccess merge needs a worktree',
  );
});

it('merges only what passes in the merged tree, where that is asked for, and leaves the branch else', async () => {
  const stage = await openLandingStage();
  const { at, git, repository } = stage;
  const mine = `echo mine > ${join(repository, 'd.txt')}; git -C ${repository} add d.txt; git -C ${repository} commit -qm Mine`;
  // Each side is good alone, and the two together are not.
  const verifyMerged = 'ls; ! { test -f c.txt && test -f d.txt; }';
  const bad = await works(stage, { command: `touch c.txt; ${mine}`, onSuccess: 'merge', verifyMerged });
  const before = git('rev-parse', 'main');
  expect(await landed(stage, bad.threadId)).toMatchObject({
    state: 'failed',
    sentence: 'The merged tree did not pass verification, so nothing was merged.',
    output: expect.stringContaining('c.txt\nd.txt'),
  });
  expect([git('rev-parse', 'main'), git('status', '--porcelain')]).toEqual([before, '']);

  const good = await works(stage, { command: 'touch e.txt', onSuccess: 'merge', verifyMerged });
  expect(await landed(stage, good.threadId)).toMatchObject({
    state: 'done',
    commit: git('rev-parse', 'main'),
  });
  await expect(
    at.work('go', { workspace: { path: repository, worktree: true }, onSuccess: 'pr', verifyMerged }),
  ).rejects.toThrow('verifyMerged is for work that is merged');

  // A worker that leaves while the command runs judges nothing; the next one asks it again.
  const slow = `test -f ${join(at.home, 'ready')} || { echo judged > ${join(at.home, 'begun')}; exec tail -f /dev/null; }`;
  const left = await works(stage, { command: 'touch f.txt', onSuccess: 'merge', verifyMerged: slow });
  await at.runs('tail -f /dev/null');
  await at.leave();
  writeFileSync(join(at.home, 'ready'), '');
  await at.open();
  expect(await landed(stage, left.threadId)).toMatchObject({
    state: 'done',
    commit: git('rev-parse', 'main'),
  });
});

it('opens a pull request for work that succeeded', async () => {
  const stage = await openPullRequestStage();
  const { threadId, id } = await works(stage, { command: 'echo new > c.txt', onSuccess: 'pr' });
  expect(await landed(stage, threadId)).toMatchObject({
    kind: 'pr',
    state: 'done',
    afterDispatch: id,
    pullRequest: 'https://github.com/ada/engine/pull/1',
  });
  expect(stage.gh.requests).toMatchObject([{ title: 'Fix it' }]);
});

it.each(['landing_asked', 'landing_planned', 'landing_branch_moved'])(
  'what was asked for is done once when the worker is killed at %s',
  async (kill) => {
    const stage = await openLandingStage();
    const { at, git } = stage;
    const work: DispatchRequest = {
      text: 'go',
      workspace: { path: stage.repository, worktree: true },
      runtime: 'exec',
      posture: { command: 'touch c.txt' },
      onSuccess: 'merge',
    };
    expect(await landingProcess(stage, { verb: 'work', work, kill })).toBe('SIGKILL');
    await at.open();
    const { rows } = await at.host.threads.list({});
    const threadId = rows[0]?.id;
    if (threadId === undefined) throw new Error('There is no thread.');
    expect(await landed(stage, threadId)).toMatchObject({ state: 'done', commit: git('rev-parse', 'main') });
    expect(await at.host.landings.list(threadId)).toHaveLength(1);
    expect(git('log', '--format=%s', 'main').split('\n')).toEqual(['go', 'Begin']);
  },
);
