import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScratchWorkspace } from '../scratch-workspace.js';

test('committed, uncommitted and untracked changes since the merge base', async () => {
  await using scratch = ScratchWorkspace.repository({ targetBranch: 'main' });
  scratch.write('old.txt', 'a\nb\nc\nd\n');
  scratch.write('gone.txt', 'x\n');
  const base = scratch.commit('More');
  scratch.git('switch', '--quiet', '--create', 'work');
  scratch.git('mv', 'old.txt', 'new name.txt');
  scratch.git('rm', '--quiet', 'gone.txt');
  scratch.commit('Move');
  scratch.git('switch', '--quiet', 'main');
  scratch.write('a.txt', 'main went on\n');
  scratch.commit('Go on');
  scratch.git('switch', '--quiet', 'work');
  scratch.write('a.txt', 'one\n2\nthree\n');
  scratch.write('image', 'a\0b');
  scratch.write('un/tracked.txt', 'u\nv');
  scratch.git('add', 'image');
  const against = { commit: base, why: 'the merge base with main' };
  const files = [
    { path: 'a.txt', status: 'modified', added: 2, removed: 1 },
    { path: 'gone.txt', status: 'deleted', added: 0, removed: 1 },
    { path: 'image', status: 'added', added: null, removed: null },
    { path: 'new name.txt', from: 'old.txt', status: 'renamed', added: 0, removed: 0 },
    { path: 'un/tracked.txt', status: 'untracked', added: 2, removed: 0 },
  ];
  const totals = { files: 5, added: 4, removed: 2 };
  expect(await scratch.data('get_workspace_diff')).toEqual({ against, totals, files, notes: [] });

  const tracked = scratch.git('diff', '--no-renames', base, '--', 'a.txt');
  expect(await scratch.data('get_workspace_diff', { mode: 'full', file: 'a.txt' })).toEqual({
    against,
    totals: { files: 1, added: 2, removed: 1 },
    files: [files[0]],
    diff: `${tracked}\n`,
    notes: [],
  });
  expect(await scratch.data('get_workspace_diff', { mode: 'full', file: 'un/tracked.txt' })).toMatchObject({
    diff:
      'diff --git a/un/tracked.txt b/un/tracked.txt\nnew file (untracked)\n--- /dev/null\n+++ b/un/tracked.txt\n' +
      '@@ -0,0 +1,2 @@\n+u\n+v\n\\ No newline at end of file\n',
  });
  expect(await scratch.data('get_workspace_diff', { mode: 'full' })).toMatchObject({
    diff: expect.stringContaining('rename from old.txt\nrename to new name.txt\n'),
  });
});

test('no commit yet: everything is new', async () => {
  await using scratch = new ScratchWorkspace({ targetBranch: 'main' });
  scratch.git('init', '--quiet');
  scratch.write('staged.txt', 's\n');
  scratch.git('add', 'staged.txt');
  scratch.write('loose.txt', 'l\n');
  expect(await scratch.data('get_workspace_diff')).toMatchObject({
    against: { why: 'nothing, because there is no commit yet' },
    files: [
      { path: 'staged.txt', status: 'added', added: 1, removed: 0 },
      { path: 'loose.txt', status: 'untracked', added: 1, removed: 0 },
    ],
  });
});

test('a missing or unrelated target branch falls back to HEAD and says so', async () => {
  await using scratch = ScratchWorkspace.repository();
  scratch.git('branch', 'alien', scratch.git('commit-tree', '-m', 'Alien', 'HEAD^{tree}'));
  const against = { commit: scratch.git('rev-parse', 'HEAD'), why: 'HEAD' };
  const notes = {
    alien: 'alien has no commit in common with HEAD. The diff is against HEAD.',
    missing: 'The target branch missing does not exist here. The diff is against HEAD.',
    '-x': '"-x" is not a branch name. The diff is against HEAD.',
  };
  for (const [targetBranch, note] of Object.entries(notes)) {
    const workspace = { ...scratch.workspace, targetBranch };
    expect(await scratch.data('get_workspace_diff', {}, workspace)).toMatchObject({ against, notes: [note] });
  }
});

test('a conflicted file is one entry, and the answer says that there is a conflict', async () => {
  await using scratch = ScratchWorkspace.repository();
  scratch.git('switch', '--quiet', '--create', 'side');
  scratch.write('a.txt', 'side\n');
  scratch.commit('Side');
  scratch.git('switch', '--quiet', 'main');
  scratch.write('a.txt', 'main\n');
  scratch.commit('Main');
  expect(() => scratch.git('merge', '--quiet', 'side')).toThrow();
  expect(await scratch.data('get_workspace_diff')).toMatchObject({
    files: [{ path: 'a.txt', status: 'modified', added: 4, removed: 0 }],
    notes: ['Paths with conflicts: 1.'],
  });
});

test('a long diff is cut, and the answer names what is missing', async () => {
  await using scratch = ScratchWorkspace.repository();
  scratch.write('b.txt', 'b\n');
  scratch.write('c.txt', 'c\n');
  scratch.commit('More');
  scratch.write('b.txt', 'long line\n'.repeat(20_000));
  scratch.write('c.txt', 'c\nlast\n');
  scratch.write('huge.bin', 'x'.repeat(2 * 1024 * 1024));
  const data = await scratch.data('get_workspace_diff', { mode: 'full' });
  expect(data).toMatchObject({
    diff: expect.stringMatching(/\n\+long line\n$/),
    notes: [
      'The diff is cut at 80000 characters, in b.txt. Left out (2): c.txt, a/huge.bin b/huge.bin. Ask for one file at a time.',
    ],
  });
  expect(JSON.stringify(data).length).toBeLessThan(100_000);
});

test('a diff beyond what we keep of git is cut too', async () => {
  await using scratch = ScratchWorkspace.repository();
  scratch.write('a.txt', 'long line\n'.repeat(900_000));
  expect(await scratch.data('get_workspace_diff', { mode: 'full' })).toMatchObject({
    files: [{ path: 'a.txt', status: 'modified', added: 900_000, removed: 2 }],
    notes: [
      "git's diff was cut after 8388608 characters.",
      'The diff is cut at 80000 characters, in a.txt. Ask for one file at a time.',
    ],
  });
});

test('very many untracked files are counted, not all shown', async () => {
  await using scratch = ScratchWorkspace.repository();
  for (let n = 0; n < 310; n += 1) scratch.write(`many/${n}.txt`, `${n}\n`);
  expect(await scratch.data('get_workspace_diff')).toMatchObject({
    totals: { files: 300 },
    notes: ['10 of 310 untracked files were left out.'],
  });
});

test('links and nested repositories are not followed', async () => {
  await using scratch = ScratchWorkspace.repository();
  writeFileSync(join(scratch.outside, 'secret'), 'do not show\n');
  symlinkSync(join(scratch.outside, 'secret'), join(scratch.cwd, 'link'));
  symlinkSync(scratch.outside, join(scratch.cwd, 'folder-link'));
  mkdirSync(join(scratch.cwd, 'nested'));
  scratch.git('-C', 'nested', 'init', '--quiet');
  scratch.write('nested/x', 'do not show\n');
  const data = await scratch.data('get_workspace_diff', { mode: 'full' });
  expect(JSON.stringify(data)).not.toContain('do not show');
  expect(data).toMatchObject({
    files: [
      { path: 'folder-link', status: 'untracked', added: 1, removed: 0 },
      { path: 'link', status: 'untracked', added: 1, removed: 0 },
      { path: 'nested/', status: 'untracked', added: null, removed: null },
    ],
  });
  expect(await scratch.call('get_workspace_diff', { file: 'link' })).toEqual({
    ok: false,
    error: '"link" leads outside the workspace through a symbolic link.',
  });
});

test('odd file names are files, not options or patterns', async () => {
  await using scratch = ScratchWorkspace.repository();
  for (const name of ['-', '--output=x', '*.txt', 'tab\there', 'quote"']) scratch.write(name, 'odd\n');
  scratch.commit('Odd');
  for (const name of ['-', '--output=x', '*.txt', 'tab\there', 'quote"']) {
    scratch.write(name, 'odder\n');
    expect(await scratch.data('get_workspace_diff', { file: name })).toMatchObject({
      files: [{ path: name, status: 'modified', added: 1, removed: 1 }],
    });
  }
});

test('a folder without git gets a sentence', async () => {
  await using scratch = new ScratchWorkspace();
  expect(await scratch.call('get_workspace_diff')).toEqual({
    ok: false,
    error:
      'The workspace has no usable git repository: not a git repository (or any of the parent directories): .git.',
  });
});
