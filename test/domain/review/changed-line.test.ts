import { expect, test } from 'vitest';
import { changedLines, findLine } from '../../../src/domain/review/changed-line.js';

const hunk = {
  oldStart: 5,
  oldLines: 3,
  newStart: 7,
  newLines: 3,
  heading: '',
  lines: [' a', '-b', '+c', ' d', '\\ No newline at end of file'],
};

test('lines are numbered in both versions', () => {
  expect(changedLines(hunk)).toEqual([
    { kind: 'same', old: 5, new: 7, text: 'a' },
    { kind: 'removed', old: 6, text: 'b' },
    { kind: 'added', new: 8, text: 'c' },
    { kind: 'same', old: 7, new: 9, text: 'd' },
    { kind: 'remark', text: 'No newline at end of file' },
  ]);
});

test.each([
  [6, 'old', 'b'],
  [8, 'new', 'c'],
  [9, 'new', 'd'],
  [4, 'old', undefined],
  [10, 'new', undefined],
] as const)('line %i of the %s version is %s', (line, side, text) => {
  expect(findLine([hunk], { line, side })?.text).toBe(text);
});
