import { expect, test } from 'vitest';
import { hunkLines, linePairs } from '../../../src/web/review/hunk-lines.js';

const hunk = (lines: string[]) => ({
  oldStart: 1,
  oldLines: 9,
  newStart: 1,
  newLines: 9,
  heading: '',
  lines,
});

test('the words that changed are marked in both versions', () => {
  const lines = hunkLines(hunk(['-let total = old(item);', '+let total = fresh(item);']), 'a.txt');
  expect(lines.map(({ parts }) => parts)).toEqual([
    [
      { text: 'let total = ', isChanged: false },
      { text: 'old', isChanged: true },
      { text: '(item);', isChanged: false },
    ],
    [
      { text: 'let total = ', isChanged: false },
      { text: 'fresh', isChanged: true },
      { text: '(item);', isChanged: false },
    ],
  ]);
});

test('lines that have nothing in common have no marks', () => {
  const lines = hunkLines(hunk(['-import x from "y";', '+return 42;']), 'a.txt');
  expect(lines.flatMap(({ parts }) => parts).some(({ isChanged }) => isChanged)).toBe(false);
});

test('a colour and a mark may overlap', () => {
  const [, line] = hunkLines(hunk(["-f('one two');", "+f('one three');"]), 'a.ts');
  expect(line?.parts).toEqual([
    { text: 'f', kind: 'call', isChanged: false },
    { text: '(', isChanged: false },
    { text: "'one ", kind: 'string', isChanged: false },
    { text: 'three', kind: 'string', isChanged: true },
    { text: "'", kind: 'string', isChanged: false },
    { text: ');', isChanged: false },
  ]);
});

test('lines stand beside those that came in their place', () => {
  const lines = hunkLines(hunk([' a', '-b', '-c', '+d', ' e', '+f', '-g', '+h']), 'a.txt');
  expect(linePairs(lines).map(({ left, right }) => [left?.text, right?.text])).toEqual([
    ['a', 'a'],
    ['b', 'd'],
    ['c', undefined],
    ['e', 'e'],
    [undefined, 'f'],
    ['g', 'h'],
  ]);
});

test('of a line that is too long, its beginning is shown', () => {
  const [line] = hunkLines(hunk([`+${'x'.repeat(20_000)}`]), 'a.ts');
  expect(line?.text).toBe(`${'x'.repeat(5000)} … 15000 more characters`);
});
