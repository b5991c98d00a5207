import { expect, test } from 'vitest';
import { clockTime } from '../../../src/domain/words/clock-time.js';

const now = Date.parse('2026-11-18T12:00:00Z');

test.each([
  ['2026-11-18T14:05:00Z', '14:05'],
  ['2026-11-19T07:00:00Z', 'Thu 19 Nov, 07:00'],
  ['2027-02-03T07:00:00Z', 'Wed 3 Feb, 07:00'],
  // The same day of another year would not be told from this one.
  ['2028-02-29T00:00:00Z', 'Tue, 29 Feb 2028, 00:00'],
  ['2027-11-18T14:05:00Z', 'Thu, 18 Nov 2027, 14:05'],
])('%s is %s', (at, words) => {
  expect(clockTime(at, { now, timeZone: 'UTC' })).toBe(words);
});
