import { expect, test } from 'vitest';
import {
  contextHunk,
  fileParts,
  type HiddenLines,
  linesToShow,
} from '../../../src/domain/review/hidden-lines.js';
import type { Hunk } from '../../../src/protocol/changes.js';

const same = (count: number) => Array.from({ length: count }, () => ' x');
/** Three lines, a change, three lines. */
const hunk = (newStart: number, oldStart = newStart, after = 3): Hunk => {
  const lines = [...same(3), '-a', '+b', '+c', ...same(after)];
  return { oldStart, oldLines: 4 + after, newStart, newLines: 5 + after, heading: '', lines };
};
const whole = { context: [], isWhole: true };
const hidden = (parts: ReturnType<typeof fileParts>) =>
  parts.map((part) => (part.kind === 'hidden' ? part.hidden : ('shown' as const)));

test.each<[string, Hunk[], Parameters<typeof fileParts>[1], (HiddenLines | 'shown')[]]>([
  ['a change at both ends', [hunk(1, 1, 2)], whole, ['shown']],
  [
    'a change in the middle',
    [hunk(10)],
    whole,
    [
      { from: 1, to: 9, shift: 0, hasAbove: false, hasBelow: true },
      'shown',
      { from: 18, shift: 1, hasAbove: true, hasBelow: false },
    ],
  ],
  [
    'two changes, and the length is known',
    [hunk(1), hunk(31, 30)],
    { ...whole, total: 40 },
    [
      'shown',
      { from: 9, to: 30, shift: 1, hasAbove: true, hasBelow: true },
      'shown',
      { from: 39, to: 40, shift: 2, hasAbove: true, hasBelow: false },
    ],
  ],
  ['two changes side by side', [hunk(1), hunk(9, 8, 0)], whole, ['shown', 'shown']],
  ['changes that are cut', [hunk(10)], { ...whole, isWhole: false }, ['shown']],
  ['no change', [], whole, []],
  [
    'context that was read closes the gap from both ends',
    [hunk(1), hunk(31, 30, 0)],
    { isWhole: true, context: [contextHunk(9, ['a', 'b'], 1), contextHunk(30, ['z'], 1)] },
    ['shown', 'shown', { from: 11, to: 29, shift: 1, hasAbove: true, hasBelow: true }, 'shown', 'shown'],
  ],
  [
    'everything below was read',
    [hunk(10)],
    { isWhole: true, total: 18, context: [contextHunk(1, same(9), 0), contextHunk(18, ['end'], 1)] },
    ['shown', 'shown', 'shown'],
  ],
  [
    'a file that became empty',
    [{ oldStart: 1, oldLines: 1, newStart: 0, newLines: 0, heading: '', lines: ['-a'] }],
    whole,
    ['shown'],
  ],
  [
    'a last line without a line end',
    [{ ...hunk(1), lines: [...hunk(1).lines, '\\ No newline at end of file'] }],
    whole,
    ['shown'],
  ],
])('the hidden lines of %s', (_name, hunks, known, expected) => {
  expect(hidden(fileParts(hunks, known))).toEqual(expected);
});

test('lines that are shown have their numbers in both versions', () => {
  expect(contextHunk(9, ['a'], 1)).toEqual({
    oldStart: 8,
    oldLines: 1,
    newStart: 9,
    newLines: 1,
    heading: '',
    lines: [' a'],
  });
});

const gap: HiddenLines = { from: 9, to: 50, shift: 0, hasAbove: true, hasBelow: true };
const { to: _to, ...open } = gap;
test.each<[HiddenLines, 'top' | 'bottom' | 'all', number, object]>([
  [gap, 'top', 20, { from: 9, count: 20 }],
  [gap, 'bottom', 20, { from: 31, count: 20 }],
  [gap, 'all', 2000, { from: 9, count: 42 }],
  [gap, 'bottom', 2000, { from: 9, count: 42 }],
  [open, 'top', 20, { from: 9, count: 20 }],
  [open, 'all', 2000, { from: 9, count: 2000 }],
])('of %j the %s with at most %i', (lines, where, most, expected) => {
  expect(linesToShow(lines, where, most)).toEqual(expected);
});
