// @module-tag full
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { waitUntil } from '../../harness/wait-until.js';
import { landingProcess } from '../landing/landing-process.js';
import { openLandingStage, owner } from '../landing/landing-stage.js';

const moments = ['removal_worktree_gone', 'removal_start_forgotten'] as const;

it.each(moments)(
  'rm that is killed when %s leaves the thread, and does the rest the next time',
  async (kill) => {
    const stage = await openLandingStage();
    const { at, git } = stage;
    const { threadId, top, branch } = await stage.agent('echo new > c.txt', 'Killed');
    await at.host.landings.merge(threadId, { method: 'merge' }, owner);
    expect(await landingProcess(stage, { verb: 'rm', threadId, kill })).toBe('SIGKILL');
    await at.open();
    expect((await at.host.threads.get(threadId)).id).toBe(threadId);
    expect(existsSync(top)).toBe(false);
    expect((await at.host.cleanup.remove(threadId, { force: false, actor: owner })).id).toBe(threadId);
    expect((await at.host.threads.list({})).rows).toEqual([]);
    expect([git('branch', '--list', branch), git('worktree', 'list').split('\n').length]).toEqual(['', 1]);
    // What was merged is there still.
    expect(stage.read('c.txt')).toBe('new\n');
  },
);

it.each(moments)(
  'prune that is killed when %s goes on with the same threads, and spares what is not landed',
  async (kill) => {
    const stage = await openLandingStage();
    const { at } = stage;
    const landed = [
      await stage.agent('echo one > c.txt', 'One'),
      await stage.agent('echo two > d.txt', 'Two'),
    ];
    for (const { threadId } of landed) await at.host.landings.merge(threadId, { method: 'merge' }, owner);
    const open = await stage.agent('echo three > e.txt', 'Three');
    expect(await landingProcess(stage, { verb: 'prune', threadId: open.threadId, kill })).toBe('SIGKILL');
    await at.open();
    expect((await at.host.threads.list({})).rows).toHaveLength(3);
    const report = await at.host.cleanup.prune({ dryRun: false, olderThanDays: 0 }, owner);
    expect(report.threads.map(({ title }) => title).toSorted()).toEqual(['One', 'Two']);
    expect(report.spared.map(({ title }) => title)).toEqual(['Three']);
    expect((await at.host.threads.list({})).rows.map(({ title }) => title)).toEqual(['Three']);
    expect([...landed, open].map(({ top }) => existsSync(top))).toEqual([false, false, true]);
  },
);

it('the worker removes worktrees of landed work by itself, again and again, and no other ones', async () => {
  const stage = await openLandingStage({ keepWorktreesDays: 0, tidySeconds: 0.05 });
  const { at } = stage;
  const open = await stage.agent('echo open > e.txt', 'Open');
  for (const name of ['one', 'two']) {
    const { threadId, top } = await stage.agent(`echo ${name} > ${name}.txt`, name);
    expect(existsSync(top)).toBe(true);
    await at.host.landings.merge(threadId, { method: 'merge' }, owner);
    await at.host.threads.stop(threadId, owner);
    await waitUntil(`the worktree of ${name} is gone`, () => !existsSync(top));
    await at.firstEvent(threadId, 'notice', ({ message }) =>
      String(message).includes('its work was landed, and nothing has happened since'),
    );
  }
  await at.host.threads.stop(open.threadId, owner);
  expect(existsSync(open.top)).toBe(true);
});
