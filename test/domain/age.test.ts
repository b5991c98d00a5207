import { expect, it } from 'vitest';
import { age, duration, until } from '../../src/domain/age.js';

const now = Date.parse('2026-01-10T12:00:00Z');

it.each([
  ['2026-01-10T11:59:58Z', '2s'],
  ['2026-01-10T11:55:30Z', '4m'],
  ['2026-01-10T09:00:00Z', '3h'],
  ['2026-01-01T12:00:00Z', '9d'],
  ['2026-01-10T12:00:05Z', '0s'],
])('%s was %s ago', (at, ago) => {
  expect(age(at, now)).toBe(ago);
});

it.each([
  [432, '0.4s'],
  [12_300, '12s'],
  [125_000, '2m 5s'],
  [3_840_000, '1h 4m'],
])('%i ms are %s', (milliseconds, words) => {
  expect(duration(milliseconds)).toBe(words);
});

it('says when something will be', () => {
  expect([until('2026-01-10T12:02:05Z', now), until('2026-01-10T11:00:00Z', now)]).toEqual([
    'in 2m 5s',
    'now',
  ]);
});
