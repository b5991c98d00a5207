import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ChangeReader } from '../../../src/host/workspaces/change-reader.js';
import { threadDiff } from '../../../src/host/workspaces/workspace-diff.js';
import { Worktrees } from '../../../src/host/workspaces/worktrees.js';
import { ThreadDiff } from '../../../src/protocol/api.js';
import { ThreadId } from '../../../src/protocol/id.js';
import type { Workspace } from '../../../src/protocol/workspace.js';
import { ScratchRepository } from '../../process/git/scratch-repository.js';

const threadId = ThreadId.parse('thr_01hzzzzzzzaaaaaaaabbbbbbbb');

async function worktreeOf(scratch: ScratchRepository): Promise<Workspace> {
  const worktrees = new Worktrees({ root: join(scratch.root, 'worktrees'), env: scratch.env });
  return await worktrees.create({ threadId, path: scratch.cwd, title: 'Work' });
}

async function diffOf(workspace: Workspace, scratch: ScratchRepository): Promise<ThreadDiff> {
  const reader = new ChangeReader({ scratch: join(scratch.root, 'scratch'), env: scratch.env });
  return await threadDiff({ workspace }, reader);
}

test('a worktree shows all that it holds beyond the branch it was made from', async () => {
  await using scratch = new ScratchRepository().begin();
  const begin = scratch.git('rev-parse', 'HEAD');
  const workspace = await worktreeOf(scratch);
  const { path } = workspace;
  writeFileSync(join(path, 'a.txt'), 'one\n2\n');
  scratch.gitIn(path, 'commit', '--quiet', '--all', '--message', 'Own');
  writeFileSync(join(path, 'new.txt'), 'new\n');
  scratch.write('elsewhere.txt', 'on main only\n');
  scratch.commit('Main moved on');
  const diff = await diffOf(workspace, scratch);
  expect(ThreadDiff.parse(diff)).toEqual({
    base: { commit: begin, why: 'the merge base with main' },
    files: [
      { path: 'a.txt', status: 'changed', added: 1, removed: 1 },
      { path: 'new.txt', status: 'added', added: 1, removed: 0 },
    ],
    patch: expect.stringContaining('\n-two\n+2\n'),
    notes: [],
  });
  expect(diff.patch).toContain('+++ b/new.txt\n@@ -0,0 +1 @@\n+new\n');

  const moved = scratch.git('rev-parse', 'main');
  scratch.gitIn(path, 'rebase', '--quiet', 'main');
  expect((await diffOf(workspace, scratch)).base).toEqual({
    commit: moved,
    why: 'the merge base with main',
  });
});

test('a worktree of a detached HEAD is measured from that commit, and one whose branch is gone from HEAD', async () => {
  await using scratch = new ScratchRepository().begin();
  const begin = scratch.git('rev-parse', 'HEAD');
  scratch.git('switch', '--quiet', '--detach');
  const workspace = await worktreeOf(scratch);
  scratch.gitIn(workspace.path, 'commit', '--quiet', '--allow-empty', '--message', 'Own');
  const base = { commit: begin, why: `the merge base with ${begin.slice(0, 12)}` };
  expect(await diffOf(workspace, scratch)).toEqual({ base, files: [], patch: '', notes: [] });
  scratch.gitIn(workspace.path, 'symbolic-ref', 'refs/worktree/handraise-base', 'refs/heads/deleted');
  const head = scratch.gitIn(workspace.path, 'rev-parse', 'HEAD');
  expect((await diffOf(workspace, scratch)).base).toEqual({ commit: head, why: 'HEAD' });
});

test('a plain folder of a repository is measured from HEAD; a link is shown and not followed', async () => {
  await using scratch = new ScratchRepository().begin();
  writeFileSync(join(scratch.outside, 'secret'), 'do not show\n');
  symlinkSync(join(scratch.outside, 'secret'), join(scratch.cwd, 'link'));
  symlinkSync(scratch.outside, join(scratch.cwd, 'folder'));
  const { base, files, patch } = await diffOf({ path: scratch.cwd }, scratch);
  expect(base).toEqual({ commit: scratch.git('rev-parse', 'HEAD'), why: 'HEAD' });
  expect(files.map(({ path, status }) => [path, status])).toEqual([
    ['folder', 'added'],
    ['link', 'added'],
  ]);
  expect(patch).not.toContain('do not show');
});

test('without a repository, or without the folder, it is empty and says so', async () => {
  await using scratch = new ScratchRepository();
  const none = { base: { commit: '', why: 'nothing' }, files: [], patch: '' };
  const gone = join(scratch.cwd, 'gone');
  expect(await diffOf({ path: gone }, scratch)).toEqual({
    ...none,
    notes: [`The workspace ${gone} does not exist any more.`],
  });
  const plain = await diffOf({ path: scratch.cwd }, scratch);
  expect(plain).toEqual({ ...none, notes: [expect.stringContaining('not a git repository')] });
});

test('a repository without a commit is measured from nothing', async () => {
  await using scratch = new ScratchRepository();
  scratch.git('init', '--quiet');
  scratch.write('a.txt', 'one\n');
  expect(await diffOf({ path: scratch.cwd }, scratch)).toMatchObject({
    base: { why: 'nothing, because there is no commit yet' },
    files: [{ path: 'a.txt', status: 'added', added: 1, removed: 0 }],
  });
});

test('what is too much is cut, and told', async () => {
  await using scratch = new ScratchRepository().begin();
  scratch.write('a.txt', 'a line of text\n'.repeat(100_000));
  scratch.write('b.txt', 'b\n');
  const { patch, notes } = await diffOf({ path: scratch.cwd }, scratch);
  expect(patch.length).toBeLessThanOrEqual(1_000_000);
  expect(notes).toEqual(['The patch is cut at 1000000 characters.']);
});

test('the repository’s own programs are not started', async () => {
  await using scratch = new ScratchRepository().begin();
  const { program, sprung, reset } = scratch.trap();
  scratch.git('config', 'core.fsmonitor', program);
  scratch.git('config', 'diff.external', program);
  scratch.git('config', 'filter.evil.clean', program);
  mkdirSync(join(scratch.cwd, 'sub'));
  scratch.write('.gitattributes', '*.txt filter=evil\n');
  scratch.write('a.txt', 'one\n2\n');
  scratch.git('--no-pager', 'diff');
  expect(sprung()).toBe(true);
  reset();
  await diffOf({ path: scratch.cwd }, scratch);
  expect(sprung()).toBe(false);
});
