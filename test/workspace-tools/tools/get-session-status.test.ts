import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScratchWorkspace } from '../scratch-workspace.js';

const CLEAN = { staged: 0, unstaged: 0, untracked: 0, conflicted: 0 };

test('a branch, its changes, its distance to the target branch and its issue', async () => {
  await using scratch = ScratchWorkspace.repository({ targetBranch: 'main', linearIssue: 'lin-7' });
  scratch.git('switch', '--quiet', '--create', 'work');
  scratch.write('b.txt', 'b\n');
  const commit = scratch.commit('Add b');
  scratch.git('switch', '--quiet', 'main');
  scratch.write('c.txt', 'c\n');
  scratch.commit('Add c');
  scratch.write('d.txt', 'd\n');
  scratch.commit('Add d');
  scratch.git('switch', '--quiet', 'work');
  scratch.git('mv', 'b.txt', 'renamed.txt');
  scratch.write('a.txt', 'changed\n');
  scratch.git('add', 'a.txt');
  scratch.write('a.txt', 'changed again\n');
  scratch.write('new.txt', 'new\n');
  expect(await scratch.data('get_session_status')).toEqual({
    workspace: scratch.cwd,
    conversationId: 'conv-1',
    sessionId: 'session-1',
    targetBranch: 'main',
    git: {
      kind: 'branch',
      branch: 'work',
      commit,
      uncommitted: { staged: 2, unstaged: 1, untracked: 1, conflicted: 0 },
      compared: { with: 'main', as: 'target branch', ahead: 1, behind: 2 },
    },
    issue: { id: 'LIN-7' },
  });
});

test('without a target branch the upstream is the measure', async () => {
  await using scratch = ScratchWorkspace.repository();
  scratch.git('clone', '--quiet', scratch.cwd, join(scratch.outside, 'clone'));
  const clone = { ...scratch.workspace, cwd: join(scratch.outside, 'clone') };
  scratch.write('b.txt', 'b\n');
  scratch.commit('Add b');
  scratch.git('-C', clone.cwd, 'fetch', '--quiet');
  const compared = { with: 'origin/main', ahead: 0, behind: 1 };
  expect(await scratch.data('get_session_status', {}, clone)).toMatchObject({
    git: { compared: { ...compared, as: 'upstream' } },
  });
  const targeted = { ...clone, targetBranch: 'origin/main' };
  expect(await scratch.data('get_session_status', {}, targeted)).toMatchObject({
    git: { compared: { ...compared, as: 'target branch' } },
  });
  scratch.git('-C', clone.cwd, 'update-ref', '-d', 'refs/remotes/origin/main');
  expect(await scratch.data('get_session_status', {}, clone)).toMatchObject({ git: { compared: null } });
});

test('a folder without git, and a session that has no id yet', async () => {
  await using scratch = new ScratchWorkspace({ sessionId: undefined });
  expect(await scratch.data('get_session_status')).toEqual({
    workspace: scratch.cwd,
    conversationId: 'conv-1',
    sessionId: null,
    targetBranch: null,
    git: { kind: 'none', reason: 'not a git repository (or any of the parent directories): .git' },
    issue: null,
  });
});

test('an unborn branch', async () => {
  await using scratch = new ScratchWorkspace({ targetBranch: 'main' });
  scratch.git('init', '--quiet', '--initial-branch=fresh');
  scratch.write('a.txt', 'a\n');
  expect(await scratch.data('get_session_status')).toMatchObject({
    git: { kind: 'unborn', branch: 'fresh', uncommitted: { ...CLEAN, untracked: 1 }, compared: null },
  });
});

test('a detached HEAD', async () => {
  await using scratch = ScratchWorkspace.repository({ targetBranch: 'main' });
  scratch.git('switch', '--quiet', '--detach');
  expect(await scratch.data('get_session_status')).toMatchObject({
    git: {
      kind: 'detached',
      commit: scratch.git('rev-parse', 'HEAD'),
      uncommitted: CLEAN,
      compared: { with: 'main', as: 'target branch', ahead: 0, behind: 0 },
    },
  });
});

test.each([
  ['--all', '"--all" is not a branch name.'],
  ['main@{1}', '"main@{1}" is not a branch name.'],
  ['nowhere', 'The target branch nowhere does not exist here.'],
])('the target branch %s is not compared with', async (targetBranch, note) => {
  await using scratch = ScratchWorkspace.repository({ targetBranch });
  expect(await scratch.data('get_session_status')).toMatchObject({ git: { compared: null, note } });
});

test('the session id is read at each call', async () => {
  await using scratch = new ScratchWorkspace();
  let sessionId = 'first';
  const workspace = Object.create(scratch.workspace, { sessionId: { get: () => sessionId } });
  expect(await scratch.data('get_session_status', {}, workspace)).toMatchObject({ sessionId: 'first' });
  sessionId = 'second';
  expect(await scratch.data('get_session_status', {}, workspace)).toMatchObject({ sessionId: 'second' });
});

test('only the changes inside the workspace count when the repository is larger', async () => {
  await using scratch = ScratchWorkspace.repository();
  mkdirSync(join(scratch.cwd, 'sub'));
  scratch.write('a.txt', 'changed\n');
  scratch.write('sub/new.txt', 'new\n');
  const sub = { ...scratch.workspace, cwd: join(scratch.cwd, 'sub') };
  expect(await scratch.data('get_session_status', {}, sub)).toMatchObject({
    git: { uncommitted: { ...CLEAN, untracked: 1 } },
  });
});
