// @module-tag full
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ThreadId } from '../../../src/protocol/id.js';
import { waitUntil } from '../../harness/wait-until.js';
import { landingProcess } from './landing-process.js';
import { type LandingStage, openLandingStage, owner } from './landing-stage.js';
import { openPullRequestStage } from './pull-request-stage.js';

/** The next worker, once it has finished what the last one began. */
async function reopen({ at }: LandingStage, threadId: ThreadId): Promise<void> {
  await at.open();
  await waitUntil(
    'the landing is finished',
    async () => (await at.host.landings.list(threadId))[0]?.state !== 'begun',
  );
}

const moments = ['landing_planned', 'landing_files_moved', 'landing_branch_moved', 'landing_work_saved'];

it.each(moments)('a merge that is killed when %s is finished by the next worker', async (kill) => {
  const stage = await openLandingStage();
  const { threadId, top } = await stage.agent('echo agent >> a.txt; echo new > c.txt', 'Killed');
  stage.write('untracked.txt', 'mine\n');
  const before = stage.git('rev-parse', 'main');
  expect(await landingProcess(stage, { threadId, verb: 'merge', kill })).toBe('SIGKILL');
  await reopen(stage, threadId);
  const [landing] = await stage.at.host.landings.list(threadId);
  expect(landing).toMatchObject({ state: 'done', commit: stage.git('rev-parse', 'main') });
  expect(stage.git('rev-list', '--count', `${before}..main`)).toBe('1');
  expect(stage.git('status', '--porcelain')).toBe('?? untracked.txt');
  expect(stage.read('a.txt')).toBe('one\ntwo\nthree\nagent\n');
  expect(stage.gitIn(top, 'status', '--porcelain')).toBe('');
  expect(await stage.at.host.landings.merge(threadId, { method: 'merge' }, owner)).toMatchObject({
    sentence: 'Nothing to merge: main has everything already.',
  });
});

it.each(['landing_planned', 'landing_files_moved'])(
  'an apply that is killed when %s is finished, and can be undone',
  async (kill) => {
    const stage = await openLandingStage();
    const { threadId } = await stage.agent('echo agent >> a.txt; rm b.txt; echo new > c.txt', 'Killed');
    expect(await landingProcess(stage, { threadId, verb: 'apply', kill })).toBe('SIGKILL');
    await reopen(stage, threadId);
    expect((await stage.at.host.landings.list(threadId))[0]?.state).toBe('done');
    expect(stage.git('status', '--porcelain').split('\n')).toEqual(['M  a.txt', 'D  b.txt', 'A  c.txt']);
    await stage.at.host.landings.apply(threadId, { undo: true }, owner);
    expect(stage.git('status', '--porcelain')).toBe('');
  },
);

it('a discard that is killed is finished by the next worker', async () => {
  const stage = await openLandingStage();
  const { threadId, top, branch } = await stage.agent('echo new > c.txt', 'Killed');
  expect(await landingProcess(stage, { threadId, verb: 'discard', kill: 'landing_work_saved' })).toBe(
    'SIGKILL',
  );
  await reopen(stage, threadId);
  expect((await stage.at.host.landings.list(threadId))[0]?.state).toBe('done');
  expect([existsSync(top), stage.git('branch', '--list', branch)]).toEqual([false, '']);
});

it.each(['landing_planned', 'landing_work_saved', 'landing_pushed', 'landing_requested'])(
  'a pull request that is killed when %s is opened once, by the next worker',
  async (kill) => {
    const stage = await openPullRequestStage();
    const { threadId, top, branch } = await stage.agent('echo new > c.txt', 'Killed');
    expect(await landingProcess(stage, { threadId, verb: 'pr', kill })).toBe('SIGKILL');
    await reopen(stage, threadId);
    const [landing] = await stage.at.host.landings.list(threadId);
    expect(landing).toMatchObject({ state: 'done', pullRequest: 'https://github.com/ada/engine/pull/1' });
    expect(stage.remote('rev-parse', branch)).toBe(landing?.commit);
    expect(stage.gh.requests).toHaveLength(1);
    expect(stage.gitIn(top, 'status', '--porcelain')).toBe('');
  },
);

it('a lock that somebody else has on the index is not removed, and the landing says so', async () => {
  const stage = await openLandingStage();
  const { threadId } = await stage.agent('echo agent >> a.txt', 'Locked');
  const lock = join(stage.repository, '.git/index.lock');
  expect(await landingProcess(stage, { threadId, verb: 'merge', kill: 'landing_planned' })).toBe('SIGKILL');
  writeFileSync(lock, 'DIRC');
  await reopen(stage, threadId);
  const [landing] = await stage.at.host.landings.list(threadId);
  expect(landing).toMatchObject({ state: 'failed', sentence: expect.stringContaining(`holds ${lock}`) });
  expect(readFileSync(lock, 'utf8')).toBe('DIRC');
  rmSync(lock);
  expect((await stage.at.host.landings.merge(threadId, { method: 'merge' }, owner)).state).toBe('done');
  expect(stage.git('status', '--porcelain')).toBe('');
});

it('a merge whose git is killed among the files is mended and finished, and nothing of the user’s is lost', async () => {
  const stage = await openLandingStage();
  // The user's own filter, which runs while the files are written, kills git and the worker.
  const killer = join(stage.repository, '..', 'killer.sh');
  writeFileSync(
    killer,
    '#!/bin/sh\n[ -e "$0.armed" ] || exec cat\nrm "$0.armed"\nfor pid in $PPID $(ps -o ppid= -p $PPID) ; do kill -9 $pid; done\n',
  );
  chmodSync(killer, 0o755);
  stage.git('config', '--global', 'filter.kill.smudge', killer);
  stage.git('config', '--global', 'filter.kill.clean', 'cat');
  stage.write('.gitattributes', 'm.txt filter=kill\n');
  stage.commit('Attributes');
  const { threadId } = await stage.agent(
    'echo agent >> a.txt; echo l > l.txt; echo m > m.txt; echo z > z.txt',
    'Torn',
  );
  stage.write('mine.txt', 'mine\n');
  writeFileSync(`${killer}.armed`, '');
  await landingProcess(stage, { threadId, verb: 'merge', kill: 'landing_branch_moved' });
  expect(existsSync(`${killer}.armed`)).toBe(false);
  expect(readFileSync(join(stage.repository, '.git/index.lock'), 'utf8')).toMatch(/^handraise /);
  await reopen(stage, threadId);
  const [landing] = await stage.at.host.landings.list(threadId);
  expect(landing).toMatchObject({ state: 'done', commit: stage.git('rev-parse', 'main') });
  expect(stage.git('status', '--porcelain')).toBe('?? mine.txt');
  expect(stage.read('z.txt')).toBe('z\n');
  expect(existsSync(join(stage.repository, '.git/index.lock'))).toBe(false);
});
