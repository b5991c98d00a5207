import { expect, it } from 'vitest';
import { differenceOf } from '../../../src/domain/words/difference.js';

const signs = { same: ' ', added: '+', removed: '-', head: '@' } as const;
const shown = (lines: ReturnType<typeof differenceOf>) => lines.map(({ kind, text }) => signs[kind] + text);

it('a difference is the lines that differ, with a few around them', () => {
  const before = ['1', '2', '3', '4', '5', 'old', '7', '8', '9', '10', '11'].join('\n');
  expect(shown(differenceOf(before, before.replace('old', 'new\nmore')))).toEqual([
    ' 3',
    ' 4',
    ' 5',
    '-old',
    '+new',
    '+more',
    ' 7',
    ' 8',
    ' 9',
  ]);
  expect(shown(differenceOf('a', 'a\n'))).toEqual([]);
  expect(shown(differenceOf('', 'a\nb\n'))).toEqual(['+a', '+b']);
  expect(shown(differenceOf('a\n', ''))).toEqual(['-a']);
});

it('what is the same between two differences is left out', () => {
  const before = Array.from({ length: 20 }, (_, index) => `${index}`).join('\n');
  const after = before.replace('2\n', 'two\n').replace('17\n', '');
  expect(shown(differenceOf(before, after))).toEqual([
    ' 0',
    ' 1',
    '-2',
    '+two',
    ' 3',
    ' 4',
    ' 5',
    '@…',
    ' 14',
    ' 15',
    ' 16',
    '-17',
    ' 18',
    ' 19',
  ]);
});

it('lines that look like a patch are lines', () => {
  expect(shown(differenceOf('-- a\n', '++ a\n@@ b\n\\ c\n'))).toEqual(['--- a', '+++ a', '+@@ b', '+\\ c']);
});

it('texts that share little are shown one after the other', () => {
  const numbers = Array.from({ length: 2000 }, (_, index) => index);
  const lines = differenceOf(numbers.map((n) => `a${n}`).join('\n'), numbers.map((n) => `b${n}`).join('\n'));
  expect(lines.slice(0, 2000).every(({ kind }) => kind === 'removed')).toBe(true);
  expect(lines.slice(2000).every(({ kind }) => kind === 'added')).toBe(true);
  expect(lines.length).toBe(4000);
});
