import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectTimes, latestTick, ticksOf } from '../../../src/domain/schedule/timetable.js';

const berlin = 'Europe/Berlin';

function times(cron: string, timeZone: string, from: string, count: number): string[] {
  const ticks = ticksOf({ cron, timeZone });
  const found: string[] = [];
  let moment: number | null = Date.parse(from);
  while (found.length < count && moment !== null) {
    moment = ticks.after(moment);
    if (moment !== null) found.push(new Date(moment).toISOString().slice(0, 16));
  }
  return found;
}

test.each([
  [
    'weekdays over a weekend',
    '0 7 * * 1-5',
    berlin,
    '2026-01-01T12:00Z',
    ['2026-01-02T06:00', '2026-01-05T06:00'],
  ],
  // The clocks go from 2:00 to 3:00 on 29 March.
  [
    'a time that does not exist',
    '30 2 * * *',
    berlin,
    '2026-03-28T12:00Z',
    ['2026-03-29T01:00', '2026-03-30T00:30'],
  ],
  [
    'a time after the change',
    '0 7 * * *',
    berlin,
    '2026-03-28T12:00Z',
    ['2026-03-29T05:00', '2026-03-30T05:00'],
  ],
  // They go from 3:00 to 2:00 on 25 October.
  [
    'a time that comes twice',
    '30 2 * * *',
    berlin,
    '2026-10-24T12:00Z',
    ['2026-10-25T00:30', '2026-10-26T01:30'],
  ],
  [
    'every hour in autumn',
    '0 * * * *',
    berlin,
    '2026-10-24T23:30Z',
    ['2026-10-25T00:00', '2026-10-25T01:00', '2026-10-25T02:00'],
  ],
  [
    'every hour in spring',
    '0 * * * *',
    berlin,
    '2026-03-29T00:30Z',
    ['2026-03-29T01:00', '2026-03-29T02:00'],
  ],
  [
    'quarters in autumn',
    '*/15 * * * *',
    berlin,
    '2026-10-25T00:40Z',
    ['2026-10-25T00:45', '2026-10-25T01:00', '2026-10-25T01:15'],
  ],
  [
    'half an hour of summer time',
    '15 2 * * *',
    'Australia/Lord_Howe',
    '2026-10-03T12:00Z',
    ['2026-10-03T15:30', '2026-10-04T15:15'],
  ],
  // In Greenland the clocks go from 23:00 to midnight, on the evening before those of Europe.
  [
    'a late evening that does not exist',
    '30 23 * * *',
    'America/Nuuk',
    '2026-03-27T12:00Z',
    ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30'],
  ],
  [
    'a day of the week whose time does not exist',
    '0 23 * * 6',
    'America/Nuuk',
    '2026-03-27T12:00Z',
    ['2026-03-29T01:00', '2026-04-05T00:00'],
  ],
  [
    'several minutes of an hour that does not exist',
    '*/15 2 * * *',
    berlin,
    '2026-03-28T12:00Z',
    ['2026-03-29T01:00', '2026-03-30T00:00', '2026-03-30T00:15'],
  ],
  [
    'one of several hours that does not exist',
    '15 0,2,4 * * *',
    berlin,
    '2026-03-28T22:00Z',
    ['2026-03-28T23:15', '2026-03-29T01:00', '2026-03-29T02:15'],
  ],
  [
    'hours of which one comes twice',
    '0 1-3 * * *',
    berlin,
    '2026-10-24T22:00Z',
    ['2026-10-24T23:00', '2026-10-25T00:00', '2026-10-25T02:00'],
  ],
  [
    'midnight that does not exist',
    '0 0 * * *',
    'Africa/Cairo',
    '2026-04-23T12:00Z',
    ['2026-04-23T22:00', '2026-04-24T21:00'],
  ],
  [
    'two hours of summer time',
    '30 1 * * *',
    'Antarctica/Troll',
    '2026-10-24T12:00Z',
    ['2026-10-24T23:30', '2026-10-26T01:30'],
  ],
  [
    'a day that an island left out',
    '0 12 * * *',
    'Pacific/Apia',
    '2011-12-29T12:00Z',
    ['2011-12-29T22:00', '2011-12-30T10:00', '2011-12-30T22:00'],
  ],
  ['a leap day', '0 0 29 2 *', 'UTC', '2026-01-01T00:00Z', ['2028-02-29T00:00', '2032-02-29T00:00']],
  [
    'the ends of months',
    '0 18 L * *',
    'UTC',
    '2028-01-31T18:00Z',
    ['2028-02-29T18:00', '2028-03-31T18:00', '2028-04-30T18:00'],
  ],
  ['the 31st', '0 6 31 * *', 'UTC', '2026-01-31T07:00Z', ['2026-03-31T06:00', '2026-05-31T06:00']],
  ['the end of a year', '0 0 1 1 *', 'Pacific/Auckland', '2026-06-01T00:00Z', ['2026-12-31T11:00']],
])('%s', (_, cron, zone, from, expected) => {
  expect(times(cron, zone, from, expected.length)).toEqual(expected);
});

test.each([
  ['0 0 31 2 *', 'UTC', 'The times, line 1, column 5: "0 0 31 2 *" names a day that never comes'],
  ['0 7 * 13 *', 'UTC', 'The times, line 1, column 7: '],
  ['0  7 *  * mun', 'UTC', 'The times, line 1, column 11: '],
  [
    '61 * * * *',
    'UTC',
    'The times, line 1, column 1: "61 * * * *" is not a cron expression: Invalid value for minute: 61.',
  ],
  ['0 7 * * 1-5', 'Mars/Base', 'There is no time zone "Mars/Base"'],
  ['0 7 * * 1-5', '+02:00', 'There is no time zone "+02:00"'],
  ['0 7 * * 1-5', '', 'There is no time zone ""'],
])('%s in %j is refused', (cron, timeZone, sentence) => {
  expect(() => expectTimes({ cron, timeZone }, { now: Date.UTC(2026, 0, 1), when: cron })).toThrow(
    expect.objectContaining({ code: 'invalid', message: expect.stringContaining(sentence) }),
  );
});

const crons = fc.constantFrom(
  '* * * * *',
  '*/15 * * * *',
  '0 * * * *',
  '30 2 * * *',
  '0 7 * * 1-5',
  '0 6 1 * *',
  '0 18 L * *',
  '0 3 * * 0',
);
const zones = fc.constantFrom(
  'UTC',
  berlin,
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'America/Nuuk',
  'Pacific/Auckland',
);
const moments = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 11, 31) });

test('the next time is later, a whole minute, and the same from every moment before it', () => {
  fc.assert(
    fc.property(
      crons,
      zones,
      moments,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (cron, timeZone, from, part) => {
        const ticks = ticksOf({ cron, timeZone });
        const next = ticks.after(from) ?? 0;
        expect(next).toBeGreaterThan(from);
        expect(next % 60_000).toBe(0);
        expect(ticks.after(from + Math.floor((next - 1 - from) * part))).toBe(next);
      },
    ),
    { numRuns: 300 },
  );
});

test('the latest time is the one that a walk through all of them finds', () => {
  fc.assert(
    fc.property(
      crons,
      zones,
      moments,
      fc.integer({ min: 0, max: 3 * 24 * 3600_000 }),
      (cron, timeZone, from, gap) => {
        const ticks = ticksOf({ cron, timeZone });
        const first = ticks.after(from) ?? 0;
        const moment = first + gap;
        let walked = first;
        for (let next = ticks.after(first); next !== null && next <= moment; next = ticks.after(next))
          walked = next;
        expect(latestTick(ticks, { first, moment })).toBe(walked);
      },
    ),
    { numRuns: 40 },
  );
});
