import { appendFileSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScratchWorkspace } from './scratch-workspace.js';

const COMMENT = { file: 'a.txt', line: 1, body: 'Why?' };
const RULES = '.handraise/*\n!.handraise/config.json\n.agora/\n.claude/skills/agora-needs-input/\n';

test('our files stay out of git status, the scripts config does not', async () => {
  await using scratch = ScratchWorkspace.repository({ linearIssue: 'LIN-1' });
  await scratch.data('add_review_comment', COMMENT);
  await scratch.data('update_linear_status', { status: 'Done' });
  expect(scratch.git('status', '--porcelain')).toBe('');
  scratch.write('.handraise/config.json', '{}');
  expect(scratch.git('status', '--porcelain', '--untracked-files=all')).toBe('?? .handraise/config.json');
});

test("the rules are added once, after the user's own lines", async () => {
  await using scratch = ScratchWorkspace.repository();
  const exclude = join(scratch.cwd, '.git/info/exclude');
  writeFileSync(exclude, '*.log');
  await scratch.data('add_review_comment', COMMENT);
  await scratch.data('add_review_comment', COMMENT);
  expect(readFileSync(exclude, 'utf8')).toBe(`*.log\n${RULES}`);
});

test('the rules are not repeated when the user overrules them', async () => {
  await using scratch = ScratchWorkspace.repository();
  scratch.write('.gitignore', '!.handraise/*\n');
  rmSync(join(scratch.cwd, '.git/info'), { recursive: true });
  await scratch.data('add_review_comment', COMMENT);
  await scratch.data('add_review_comment', COMMENT);
  expect(readFileSync(join(scratch.cwd, '.git/info/exclude'), 'utf8')).toBe(RULES);
});

test('a workspace that ignores the folder already is left alone', async () => {
  await using scratch = ScratchWorkspace.repository();
  const exclude = join(scratch.cwd, '.git/info/exclude');
  appendFileSync(exclude, '.handraise/\n');
  const before = readFileSync(exclude, 'utf8');
  await scratch.data('add_review_comment', COMMENT);
  expect(readFileSync(exclude, 'utf8')).toBe(before);
});

test("a linked worktree uses the main repository's file", async () => {
  await using scratch = ScratchWorkspace.repository();
  const worktree = join(scratch.outside, 'tree');
  scratch.git('worktree', 'add', '--quiet', '-b', 'side', worktree);
  await scratch.data('add_review_comment', COMMENT, { ...scratch.workspace, cwd: worktree });
  expect(scratch.git('-C', worktree, 'status', '--porcelain')).toBe('');
  expect(readFileSync(join(scratch.cwd, '.git/info/exclude'), 'utf8').endsWith(RULES)).toBe(true);
});

test('a link in place of the exclude file is not written through; the comment is kept, with a warning', async () => {
  await using scratch = ScratchWorkspace.repository();
  const exclude = join(scratch.cwd, '.git/info/exclude');
  const victim = join(scratch.outside, 'victim');
  writeFileSync(victim, 'mine\n');
  rmSync(exclude);
  symlinkSync(victim, exclude);
  expect(await scratch.data('add_review_comment', COMMENT)).toMatchObject({
    comment: { id: 'id-1' },
    warning:
      '.handraise/review-comments.jsonl will show in git status: .git/info/exclude is a symbolic link, and is not followed.',
  });
  expect(readFileSync(victim, 'utf8')).toBe('mine\n');
});
