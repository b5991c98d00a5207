import { expect, test } from 'vitest';
import {
  nextMorning,
  snoozeChoices,
  snoozedFor,
  snoozedUntil,
} from '../../../src/domain/thread/snooze-times.js';

// A Thursday, as whoever sits at this machine calls it.
const now = new Date(2026, 0, 1, 12, 0).getTime();
const at = (day: number, hours: number, minutes = 0) => new Date(2026, 0, day, hours, minutes).toISOString();

test.each([
  ['30m', at(1, 12, 30)],
  ['4h', at(1, 16)],
  [' 1W ', new Date(now + 7 * 24 * 3_600_000).toISOString()],
  ['0h', undefined],
  ['4', undefined],
  ['4 hours', undefined],
  ['99999w', undefined],
  ['-1h', undefined],
])('for %j is until %j', (text, until) => {
  expect(snoozedFor(text, now)).toBe(until);
});

test.each([
  ['17:30', at(1, 17, 30)],
  ['9:05', at(2, 9, 5)],
  ['12:00', at(2, 12)],
  ['24:00', undefined],
  ['tomorrow', at(2, 8)],
  ['Friday', at(2, 8)],
  ['thursday', at(8, 8)],
  ['2026-01-05', at(5, 8)],
  ['2026-01-05 14:00', at(5, 14)],
  ['2026-01-05T14:00:00Z', '2026-01-05T14:00:00.000Z'],
  ['2025-12-31', undefined],
  ['2099-01-01', undefined],
  ['2026-13-45', undefined],
  ['some day', undefined],
  ['', undefined],
])('until %j is %j', (text, until) => {
  expect(snoozedUntil(text, now)).toBe(until);
});

test('the choices of both consoles', () => {
  expect(snoozeChoices(now).map(({ until }) => until)).toEqual([at(1, 13), at(1, 16), at(2, 8), at(5, 8)]);
  expect(nextMorning(now)).toBe(at(2, 8));
});
