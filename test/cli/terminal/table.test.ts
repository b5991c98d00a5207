import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { fit } from '../../../src/cli/terminal/fit.js';
import { tableLines } from '../../../src/cli/terminal/table.js';

const columns = [
  { header: 'ID' },
  { header: 'TITLE', isFlexible: true },
  { header: 'WHY', isFlexible: true },
];
const rows = [
  [
    { text: 'thr_1' },
    { text: 'fix the parser of the configuration' },
    { text: 'it asks', paint: (text: string) => `<${text}>` },
  ],
  [{ text: 'thr_22' }, { text: '日本語のタイトルです' }, { text: '' }],
];

it('aligns columns, and cuts nothing that is piped', () => {
  expect(tableLines(columns, rows, { width: Number.POSITIVE_INFINITY })).toEqual([
    'ID      TITLE                                WHY',
    'thr_1   fix the parser of the configuration  <it asks>',
    'thr_22  日本語のタイトルです',
  ]);
});

it('fits the terminal: the widest column gives way first', () => {
  expect(tableLines(columns, rows, { width: 32 })).toEqual([
    'ID      TITLE            WHY',
    'thr_1   fix the parser…  <it asks>',
    'thr_22  日本語のタイト…',
  ]);
});

it.each([40, 30, 24, 20])('is never wider than %i columns', (width) => {
  const plain = rows.map((row) => row.map(({ text }) => ({ text })));
  for (const line of tableLines(columns, plain, { width }))
    expect(stringWidth(line)).toBeLessThanOrEqual(Math.max(width, 26));
});

it.each([
  ['short', 10, 'short'],
  ['a longer text', 8, 'a longe…'],
  ['👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 4, '👨‍👩‍👧‍👦…'],
  ['anything', 1, '…'],
  ['anything', 0, ''],
])('fits %j into %i columns', (text, width, fitted) => {
  expect(fit(text, width)).toBe(fitted);
});
