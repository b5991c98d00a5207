import { expect, it } from 'vitest';
import { aboveWords, printedRows } from '../../../src/cli/ask/printed-rows.js';

const screen = { columns: 20, rows: 24 };

it.each([
  ['a line', 'ls', { total: 1, above: 0 }, ''],
  ['what just fits', 'a\n'.repeat(15) + 'b', { total: 16, above: 0 }, ''],
  [
    'one more',
    'a\n'.repeat(16) + 'b',
    { total: 17, above: 1 },
    '1 of the 17 lines are above the screen: scroll up to read them.',
  ],
  [
    'a line that wraps',
    'x'.repeat(400),
    { total: 20, above: 4 },
    '4 of the 20 lines are above the screen: scroll up to read them.',
  ],
  [
    'wide characters',
    '日'.repeat(200),
    { total: 20, above: 4 },
    '4 of the 20 lines are above the screen: scroll up to read them.',
  ],
])('%s', (_, text, rows, words) => {
  const printed = printedRows(text, screen);
  expect([printed, aboveWords(printed)]).toEqual([rows, words]);
});
