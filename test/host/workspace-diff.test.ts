import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { threadDiff } from '../../src/host/workspace-diff.js';
import { Worktrees } from '../../src/host/worktrees.js';
import { ThreadDiff } from '../../src/protocol/api.js';
import { ThreadId } from '../../src/protocol/id.js';
import type { Workspace } from '../../src/protocol/workspace.js';
import { ScratchRepository } from '../process/git/scratch-repository.js';

const threadId = ThreadId.parse('thr_01hzzzzzzzaaaaaaaabbbbbbbb');

async function worktreeOf(scratch: ScratchRepository): Promise<Workspace> {
  const worktrees = new Worktrees({ root: join(scratch.root, 'worktrees'), env: scratch.env });
  return await worktrees.create({ threadId, path: scratch.cwd, title: 'Work' });
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
  const diff = await threadDiff(workspace, scratch.env);
  expect(ThreadDiff.parse(diff)).toEqual({
    base: { commit: begin, why: 'the merge base with main' },
    files: [
      { path: 'a.txt', status: 'modified', added: 1, removed: 1 },
      { path: 'new.txt', status: 'untracked', added: 1, removed: 0 },
    ],
    patch: expect.stringContaining('\n-two\n+2\n'),
    notes: [],
  });
  expect(diff.patch).toContain('+++ b/new.txt\n@@ -0,0 +1,1 @@\n+new\n');

  const moved = scratch.git('rev-parse', 'main');
  scratch.gitIn(path, 'rebase', '--quiet', 'main');
  expect((await threadDiff(workspace, scratch.env)).base).toEqual({
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
  expect(await threadDiff(workspace, scratch.env)).toEqual({ base, files: [], patch: '', notes: [] });
  scratch.gitIn(workspace.path, 'symbolic-ref', 'refs/worktree/handraise-base', 'refs/heads/deleted');
  const head = scratch.gitIn(workspace.path, 'rev-parse', 'HEAD');
  expect((await threadDiff(workspace, scratch.env)).base).toEqual({ commit: head, why: 'HEAD' });
});

test('a plain folder of a repository is measured from HEAD; a link is shown and not followed', async () => {
  await using scratch = new ScratchRepository().begin();
  writeFileSync(join(scratch.outside, 'secret'), 'do not show\n');
  symlinkSync(join(scratch.outside, 'secret'), join(scratch.cwd, 'link'));
  symlinkSync(scratch.outside, join(scratch.cwd, 'folder'));
  const { base, files, patch } = await threadDiff({ path: scratch.cwd }, scratch.env);
  expect(base).toEqual({ commit: scratch.git('rev-parse', 'HEAD'), why: 'HEAD' });
  expect(files.map(({ path, status }) => [path, status])).toEqual([
    ['folder', 'untracked'],
    ['link', 'untracked'],
  ]);
  expect(patch).not.toContain('do not show');
});

test('without a repository, or without the folder, it is empty and says so', async () => {
  await using scratch = new ScratchRepository();
  const none = { base: { commit: '', why: 'nothing' }, files: [], patch: '' };
  const gone = join(scratch.cwd, 'gone');
  expect(await threadDiff({ path: gone }, scratch.env)).toEqual({
    ...none,
    notes: [`The workspace ${gone} is gone.`],
  });
  const plain = await threadDiff({ path: scratch.cwd }, scratch.env);
  expect(plain).toEqual({ ...none, notes: [expect.stringContaining('not a git repository')] });
});

test('a repository without a commit is measured from nothing', async () => {
  await using scratch = new ScratchRepository();
  scratch.git('init', '--quiet');
  scratch.write('a.txt', 'one\n');
  expect(await threadDiff({ path: scratch.cwd }, scratch.env)).toMatchObject({
    base: { why: 'nothing, because there is no commit yet' },
    files: [{ path: 'a.txt', status: 'untracked', added: 1, removed: 0 }],
  });
});

test('what is too much is cut, and told', async () => {
  await using scratch = new ScratchRepository().begin();
  scratch.write('a.txt', 'a line of text\n'.repeat(100_000));
  scratch.write('b.txt', 'b\n');
  const { patch, notes } = await threadDiff({ path: scratch.cwd }, scratch.env);
  expect(patch.length).toBeLessThanOrEqual(1_000_000);
  expect(notes).toEqual([
    'The patch is cut at 1000000 characters, in a.txt.',
    'The patch leaves out 1 more files.',
  ]);
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
  await threadDiff({ path: scratch.cwd }, scratch.env);
  expect(sprung()).toBe(false);
});
