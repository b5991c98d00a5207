import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  delayMs,
  dueTicks,
  onTimeMs,
  overlapStep,
  tickAfterWrongClock,
} from '../../../src/domain/schedule/due-ticks.js';
import { ticksOf } from '../../../src/domain/schedule/timetable.js';

const minute = 60_000;
const hour = 60 * minute;
const hourly = ticksOf({ cron: '0 * * * *', timeZone: 'UTC' });
const start = Date.UTC(2026, 0, 1);
const noDelay = { delayOf: () => 0, longestDelay: 0 };

test.each([
  ['before its time, nothing', start - 1, 'once', { start: null, missed: null, next: start }],
  ['at its time, it starts', start, 'skip', { start, missed: null, next: start + hour }],
  [
    'a little late, it starts with either',
    start + onTimeMs,
    'skip',
    { start, missed: null, next: start + hour },
  ],
  [
    'later, skip gives it up',
    start + onTimeMs + 1,
    'skip',
    { start: null, missed: { first: start, count: 1 }, next: start + hour },
  ],
  ['later, once starts it', start + 30 * minute, 'once', { start, missed: null, next: start + hour }],
  [
    'after a night, once starts the last one only',
    start + 8 * hour + 10 * minute,
    'once',
    { start: start + 8 * hour, missed: { first: start, count: 8 }, next: start + 9 * hour },
  ],
  [
    'after a night, skip starts one that is due just now',
    start + 8 * hour + minute,
    'skip',
    { start: start + 8 * hour, missed: { first: start, count: 8 }, next: start + 9 * hour },
  ],
  [
    'after a night, skip starts none that is late',
    start + 8 * hour + 10 * minute,
    'skip',
    { start: null, missed: { first: start, count: 9 }, next: start + 9 * hour },
  ],
  [
    'after months, the missed ones are counted up to a hundred',
    start + 5000 * hour,
    'once',
    { start: start + 5000 * hour, missed: { first: start, count: 100 }, next: start + 5001 * hour },
  ],
] as const)('%s', (_, now, missed, expected) => {
  expect(dueTicks({ ticks: hourly, first: start, now, missed, ...noDelay })).toEqual(expected);
});

test('with jitter a time is due later, and the next one not before it', () => {
  const delayed = { delayOf: (tick: number) => (tick === start ? 30 * minute : 0), longestDelay: hour };
  const due = (now: number) => dueTicks({ ticks: hourly, first: start, now, missed: 'once', ...delayed });
  expect(due(start + 29 * minute)).toEqual({ start: null, missed: null, next: start });
  expect(due(start + 30 * minute)).toEqual({ start, missed: null, next: start + hour });
});

test('each time is decided about once, however often and however late somebody looks', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 10 * hour }), { minLength: 1, maxLength: 60 }),
      fc.constantFrom('once' as const, 'skip' as const),
      fc.integer({ min: 0, max: 3600 }),
      (gaps, missed, jitterSeconds) => {
        const delayOf = (tick: number) => delayMs({ key: 'sch', tick, jitterSeconds });
        let [first, now, decided] = [start, start, 0];
        for (const gap of gaps) {
          now += gap;
          const due = dueTicks({
            ticks: hourly,
            first,
            now,
            missed,
            delayOf,
            longestDelay: jitterSeconds * 1000,
          });
          decided += (due.missed?.count ?? 0) + (due.start === null ? 0 : 1);
          if (due.missed) expect(due.missed.first).toBe(first);
          if (due.start !== null) expect(due.start + delayOf(due.start)).toBeLessThanOrEqual(now);
          first = due.next ?? first;
          expect(first).toBe(start + decided * hour);
          expect(first + delayOf(first)).toBeGreaterThan(now);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test.each([
  ['skip', { hasOpen: false, hasWaiting: false }, 'start'],
  ['skip', { hasOpen: true, hasWaiting: false }, 'skip'],
  ['queue', { hasOpen: true, hasWaiting: false }, 'wait'],
  ['queue', { hasOpen: true, hasWaiting: true }, 'skip'],
  ['queue', { hasOpen: false, hasWaiting: true }, 'skip'],
  ['cancel', { hasOpen: true, hasWaiting: false }, 'cancel_earlier'],
  ['cancel', { hasOpen: false, hasWaiting: false }, 'start'],
] as const)('overlap %s with %o: %s', (overlap, work, step) => {
  expect(overlapStep({ overlap, ...work })).toBe(step);
});

function after(decided: number, now: number, taken: number[] = []) {
  return tickAfterWrongClock({ ticks: hourly, decided, now, taken: new Set(taken) });
}

test('a clock that was set back an hour repeats nothing; one that was a year ahead comes back without what has run', () => {
  expect(after(start + hour, start)).toBeNull();
  expect(after(start - hour, start)).toBeNull();
  const year = 365 * 24 * hour;
  expect(after(start + year, start)).toBe(start + hour);
  expect(after(start + year, start, [start + hour, start + 2 * hour])).toBe(start + 3 * hour);
});

test('jitter is the same for the same time, within its bound, and spread', () => {
  const delays = Array.from({ length: 500 }, (_, index) =>
    delayMs({ key: 'sch_1', tick: start + index * hour, jitterSeconds: 600 }),
  );
  expect(delays[7]).toBe(delayMs({ key: 'sch_1', tick: start + 7 * hour, jitterSeconds: 600 }));
  expect(Math.max(...delays)).toBeLessThanOrEqual(600_000);
  expect(new Set(delays).size).toBeGreaterThan(200);
  const mean = delays.reduce((sum, each) => sum + each, 0) / delays.length;
  expect(mean).toBeGreaterThan(240_000);
  expect(mean).toBeLessThan(360_000);
  expect(delayMs({ key: 'sch_1', tick: start, jitterSeconds: 0 })).toBe(0);
});
