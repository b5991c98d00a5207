import { expect, test } from 'vitest';
import type { ChangedPath } from '../../../src/protocol/changes.js';
import { hunkLines, linePairs } from '../../../src/web/review/hunk-lines.js';
import { type HunkView, type ReviewFile, reviewRows } from '../../../src/web/review/review-rows.js';
import { aComment } from '../../domain/review/comment-sample.js';

const view: HunkView = {
  lines: hunkLines,
  pairs: (hunk, path) => linePairs(hunkLines(hunk, path)),
};
const changed = (given: Partial<ChangedPath> = {}): ChangedPath => ({
  path: 'a.ts',
  status: 'changed',
  kind: 'file',
  binary: false,
  added: 1,
  removed: 1,
  ...given,
});
const hunk = {
  oldStart: 3,
  oldLines: 2,
  newStart: 3,
  newLines: 2,
  heading: 'class A',
  lines: [' a', '-b', '+c'],
};
const file = (given: Partial<ReviewFile> = {}): ReviewFile => ({
  file: changed(),
  isFolded: false,
  lines: [hunk],
  comments: [],
  writingAt: [],
  ...given,
});
const keys = (files: readonly ReviewFile[], isSplit = false) =>
  reviewRows(files, { isSplit, view }).map(({ key }) => key);

test.each<[string, ReviewFile, string[]]>([
  ['lines', file(), ['f a.ts', 'g a.ts 1', 'h a.ts 0', 'l a.ts 0 0', 'l a.ts 0 1', 'l a.ts 0 2']],
  ['folded', file({ isFolded: true }), ['f a.ts']],
  ['not read yet', file({ lines: 'unread' }), ['f a.ts', 'n a.ts Loading…']],
  ['failed', file({ lines: { failure: 'No.' } }), ['f a.ts', 'n a.ts No.']],
  [
    'binary',
    file({ file: changed({ binary: true }), lines: 'unread' }),
    ['f a.ts', 'n a.ts A binary file: it has no lines to show.'],
  ],
  [
    'renamed only',
    file({ file: changed({ status: 'renamed', from: 'b.ts' }), lines: [] }),
    ['f a.ts', 'n a.ts No line of it changed (renamed from b.ts).'],
  ],
  ['cut off', file({ file: changed({ cut: 'Too long.' }), lines: [] }), ['f a.ts', 'n a.ts Too long.']],
])('a file that is %s', (_, given, expected) => {
  expect(keys([given])).toEqual(expected);
});

const comments = [
  aComment({ file: 'a.ts', line: 4, side: 'old' }),
  aComment({ file: 'a.ts', line: 4, side: 'new' }),
  aComment({ file: 'a.ts', line: 99 }),
];

test('comments stand under their lines, and those without a line at the end', () => {
  expect(keys([file({ comments })])).toEqual([
    'f a.ts',
    'g a.ts 1',
    'h a.ts 0',
    'l a.ts 0 0',
    'l a.ts 0 1',
    'c a.ts old 4',
    'l a.ts 0 2',
    'c a.ts new 4',
    'c a.ts new 99',
  ]);
  expect(keys([file({ comments, writingAt: [{ file: 'a.ts', line: 3, side: 'new' }] })], true)).toEqual([
    'f a.ts',
    'g a.ts 1',
    'h a.ts 0',
    'p a.ts 0 0',
    'c a.ts new 3',
    'p a.ts 0 1',
    'c a.ts old 4',
    'c a.ts new 4',
    'c a.ts new 99',
  ]);
});
