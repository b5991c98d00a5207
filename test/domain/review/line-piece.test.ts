import { expect, test } from 'vitest';
import { pieceOf } from '../../../src/domain/review/line-piece.js';

test.each<[string, string, Parameters<typeof pieceOf>[1], { lines: string[]; total: number }]>([
  ['some lines', 'a\nb\nc\n', { from: 2, count: 1, room: 100 }, { lines: ['b'], total: 3 }],
  ['the end', 'a\nb\nc', { from: 2, count: 9, room: 100 }, { lines: ['b', 'c'], total: 3 }],
  ['beyond the end', 'a\n', { from: 5, count: 9, room: 100 }, { lines: [], total: 1 }],
  ['an empty file', '', { from: 1, count: 9, room: 100 }, { lines: [], total: 0 }],
  ['what fits', 'aaaa\nbbbb\ncccc\n', { from: 1, count: 9, room: 16 }, { lines: ['aaaa', 'bbbb'], total: 3 }],
  ['one line at least', 'aaaa\nb\n', { from: 1, count: 9, room: 1 }, { lines: ['aaaa'], total: 2 }],
  [
    'a long line',
    'x'.repeat(10_001),
    { from: 1, count: 1, room: 20_000 },
    { lines: ['x'.repeat(10_000)], total: 1 },
  ],
])('%s', (_name, text, request, expected) => {
  expect(pieceOf(text, request)).toEqual({ from: request.from, ...expected });
});
