import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScratchWorkspace } from '../scratch-workspace.js';

const BY = { conversationId: 'conv-1', sessionId: 'session-1', createdAt: '2026-03-04T05:06:07.000Z' };

test('comments are stored, listed, filtered and counted', async () => {
  await using scratch = ScratchWorkspace.repository();
  const first = { id: 'id-1', file: 'a.txt', line: 1, body: 'Why\ntwo lines?', severity: 'error', ...BY };
  const second = { id: 'id-2', file: 'src/deleted.ts', line: 9, body: 'Gone', ...BY };
  const third = { id: 'id-3', file: 'a.txt', line: 2, body: 'Nice', severity: 'info', ...BY };
  const added = [
    await scratch.data('add_review_comment', {
      file: './a.txt',
      line: 1,
      body: ' Why\ntwo lines? ',
      severity: 'error',
    }),
    await scratch.data('add_review_comment', { file: 'src/deleted.ts', line: 9, body: 'Gone' }),
    await scratch.data('add_review_comment', { file: 'a.txt', line: 2, body: 'Nice', severity: 'info' }),
  ];
  expect(added).toEqual([{ comment: first }, { comment: second }, { comment: third }]);
  expect(await scratch.data('list_review_comments')).toEqual({
    comments: [first, second, third],
    omittedOlder: 0,
    unreadableLines: 0,
  });
  expect(await scratch.data('list_review_comments', { file: 'src/../a.txt' })).toMatchObject({
    comments: [first, third],
  });
  expect(await scratch.data('get_review_comment_stats')).toEqual({
    total: 3,
    files: [
      { file: 'a.txt', total: 2, bySeverity: { error: 1, info: 1 } },
      { file: 'src/deleted.ts', total: 1, bySeverity: { none: 1 } },
    ],
  });
  const stored = readFileSync(join(scratch.cwd, '.handraise/review-comments.jsonl'), 'utf8');
  expect(stored).toBe([first, second, third].map((comment) => `${JSON.stringify(comment)}\n`).join(''));
});

test('a workspace without comments, and one without git', async () => {
  await using scratch = new ScratchWorkspace();
  expect(await scratch.data('list_review_comments')).toEqual({
    comments: [],
    omittedOlder: 0,
    unreadableLines: 0,
  });
  expect(await scratch.data('get_review_comment_stats')).toEqual({ total: 0, files: [] });
  expect(await scratch.data('add_review_comment', { file: 'a', line: 1, body: 'b' })).toMatchObject({
    comment: { id: 'id-1' },
  });
});

test('a long list keeps the newest', async () => {
  await using scratch = new ScratchWorkspace();
  for (let n = 0; n < 10; n += 1) {
    await scratch.data('add_review_comment', { file: 'a', line: 1, body: 'x'.repeat(10_000) });
  }
  expect(await scratch.data('list_review_comments')).toMatchObject({
    comments: ['id-4', 'id-5', 'id-6', 'id-7', 'id-8', 'id-9', 'id-10'].map((id) => ({ id })),
    omittedOlder: 3,
  });
});

test.each([
  ['a file outside', { file: '../a', line: 1, body: 'b' }],
  ['an absolute file', { file: '/etc/passwd', line: 1, body: 'b' }],
  ['a file behind a link', { file: 'escape/a', line: 1, body: 'b' }],
  ['line zero', { file: 'a', line: 0, body: 'b' }],
  ['half a line', { file: 'a', line: 1.5, body: 'b' }],
  ['an empty body', { file: 'a', line: 1, body: ' ' }],
  ['an oversize body', { file: 'a', line: 1, body: 'x'.repeat(10_001) }],
  ['an unknown severity', { file: 'a', line: 1, body: 'b', severity: 'fatal' }],
])('%s is refused and nothing is stored', async (_, input) => {
  await using scratch = ScratchWorkspace.repository();
  symlinkSync(scratch.outside, join(scratch.cwd, 'escape'));
  expect(await scratch.call('add_review_comment', input)).toMatchObject({ ok: false });
  expect(await scratch.data('list_review_comments')).toMatchObject({ comments: [] });
});
