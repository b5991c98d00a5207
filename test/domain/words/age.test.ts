import { expect, it } from 'vitest';
import { age, duration, until } from '../../../src/domain/words/age.js';

const now = Date.parse('2026-01-10T12:00:00Z');

it.each([
  ['2026-01-10T11:59:58Z', '2 s'],
  ['2026-01-10T11:55:30Z', '4 min'],
  ['2026-01-10T09:00:00Z', '3 h'],
  ['2026-01-01T12:00:00Z', '9 d'],
  ['2026-01-10T12:00:05Z', '0 s'],
])('%s was %s ago', (at, ago) => {
  expect(age(at, now)).toBe(ago);
});

it.each([
  [-172_788_100, '0.0 s'],
  [432, '0.4 s'],
  [12_300, '12 s'],
  [125_000, '2 min 5 s'],
  [3_840_000, '1 h 4 min'],
])('%i ms are %s', (milliseconds, words) => {
  expect(duration(milliseconds)).toBe(words);
});

it('says when something will be', () => {
  expect([until('2026-01-10T12:02:05Z', now), until('2026-01-10T11:00:00Z', now)]).toEqual([
    'in 2 min 5 s',
    'now',
  ]);
});
