import { Cron } from 'croner';
import { Failure } from '../../protocol/failure.js';
import { badField, badTimes, dayField } from './cron-field.js';
import { WallClock } from './wall-clock.js';

/** Times as cron, in a time zone. */
export interface Timetable {
  readonly cron: string;
  readonly timeZone: string;
}

/** The times of a timetable, in milliseconds since 1970. */
export interface Ticks {
  /** The first time after that moment; null where none follows. */
  after(moment: number): number | null;
}

/**
 * Where the clocks are put forward, a time that does not exist comes when they have been (2:30 at 3:00); where they are put
 * back, a time that comes twice counts once, unless it is one of every hour.
 */
export function ticksOf({ cron, timeZone }: Timetable): Ticks {
  const [, hour = '*'] = cron.trim().split(/\s+/);
  return hour.startsWith('*') ? ticksThroughHours({ cron, timeZone }) : ticksOnWall({ cron, timeZone });
}

/** Steps of hours go on through the change, as time itself does. */
function ticksThroughHours({ cron, timeZone }: Timetable): Ticks {
  const times = new Cron(cron, { timezone: timeZone, paused: true });
  return { after: (moment) => times.nextRun(new Date(moment))?.getTime() ?? null };
}

/**
 * What a clock on the wall would show. croner computes it as if clocks never changed: in a time zone it loses times that do not exist
 * where the clocks jump to midnight (Greenland), and those of several minutes of one hour.
 */
function ticksOnWall({ cron, timeZone }: Timetable): Ticks {
  const times = new Cron(cron, { timezone: 'UTC', paused: true });
  const wall = new WallClock(timeZone);
  return {
    after: (moment) => {
      let shown = times.nextRun(new Date(wall.shownAt(moment)));
      // In the hour that comes twice, times of its first run are past.
      while (shown && wall.firstMoment(shown.getTime()) <= moment) shown = times.nextRun(shown);
      return shown ? wall.firstMoment(shown.getTime()) : null;
    },
  };
}

/** Refuses a timetable that cannot be read, and one whose time never comes. */
export function expectTimes(
  timetable: Timetable,
  { now, when }: { readonly now: number /** What the person wrote. */; readonly when: string },
): void {
  expectTimeZone(timetable.timeZone);
  let next: number | null;
  try {
    next = ticksOf(timetable).after(now);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : '';
    throw badTimes(`"${timetable.cron}" is not a cron expression: ${sentenceEnd(why)}`, {
      place: badField(when),
      cause: error,
    });
  }
  if (next === null)
    throw badTimes(`"${timetable.cron}" names a day that never comes. Check the day and the month.`, {
      place: dayField(when),
    });
}

/** The last time that is not later than a moment, of those from `first` on, which is one itself. */
export function latestTick(
  ticks: Ticks,
  { first, moment }: { readonly first: number; readonly moment: number },
): number {
  // Looks back further and further, so that a month of minutes is not walked through.
  for (let back = 60_000; moment - back > first; back *= 4) {
    const found = ticks.after(moment - back);
    if (found !== null && found <= moment) return lastOf(ticks, { first: found, moment });
  }
  return lastOf(ticks, { first, moment });
}

function lastOf(
  ticks: Ticks,
  { first, moment }: { readonly first: number; readonly moment: number },
): number {
  let last = first;
  for (let next = ticks.after(last); next !== null && next <= moment; next = ticks.after(last)) last = next;
  return last;
}

function expectTimeZone(timeZone: string): void {
  const sentence = `There is no time zone "${timeZone.slice(0, 60)}". Use an IANA name, such as Europe/Berlin or UTC.`;
  // Newer Nodes know offsets, too; with one of those the clocks would never change.
  if (!/^[A-Za-z]/.test(timeZone)) throw new Failure('invalid', sentence);
  try {
    Intl.DateTimeFormat('en', { timeZone });
  } catch (error) {
    throw new Failure('invalid', sentence, { cause: error });
  }
}

function sentenceEnd(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}
