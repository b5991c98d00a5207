import type { MissedPolicy, OverlapPolicy } from '../../protocol/schedule.js';
import { latestTick, type Ticks } from './timetable.js';

/** A time counts as kept while it is noticed within this; a restart of the worker takes seconds. */
export const onTimeMs = 5 * 60_000;
/** More than this many missed times are not counted. */
const mostCounted = 100;
// A clock that was this far ahead was wrong, not summer time.
const wrongClockMs = 24 * 60 * 60_000;

/** What is due of a schedule at a moment. */
export interface DueTicks {
  /** The one time that work is started for. */
  readonly start: number | null;
  /** Times that passed without any: the first of them, and how many. */
  readonly missed: { readonly first: number; readonly count: number } | null;
  /** The next time; null where none follows. */
  readonly next: number | null;
}

/** Of all times from `first` on that are due by now, only the last one starts work, and with `skip` only if it is not late. */
export function dueTicks(times: {
  readonly ticks: Ticks;
  readonly first: number;
  readonly now: number;
  readonly missed: MissedPolicy;
  /** How much later than its time each is due. */
  readonly delayOf: (tick: number) => number;
  readonly longestDelay: number;
}): DueTicks {
  const { ticks, first, now, delayOf } = times;
  if (first + delayOf(first) > now) return { start: null, missed: null, next: first };
  let last = first;
  // Whatever the delays are, these are due.
  if (now - times.longestDelay > first) last = latestTick(ticks, { first, moment: now - times.longestDelay });
  let next = ticks.after(last);
  while (next !== null && next + delayOf(next) <= now) {
    last = next;
    next = ticks.after(last);
  }
  const starts = times.missed === 'once' || now - (last + delayOf(last)) <= onTimeMs;
  const count = countTicks(ticks, first, last) + (starts ? 0 : 1);
  return {
    start: starts ? last : null,
    missed: count === 0 ? null : { first, count: Math.min(count, mostCounted) },
    next,
  };
}

/** How many times there are from `first` up to but not including `last`. */
function countTicks(ticks: Ticks, first: number, last: number): number {
  let count = 0;
  for (
    let tick: number | null = first;
    tick !== null && tick < last && count < mostCounted;
    tick = ticks.after(tick)
  )
    count += 1;
  return count;
}

/** What to do with a time that is due. */
export type OverlapStep = 'start' | 'skip' | 'wait' | 'cancel_earlier';

export function overlapStep(work: {
  readonly overlap: OverlapPolicy;
  /** Earlier work of the schedule has not ended. */
  readonly hasOpen: boolean;
  /** A time of the schedule waits already. */
  readonly hasWaiting: boolean;
}): OverlapStep {
  if (!work.hasOpen && !work.hasWaiting) return 'start';
  switch (work.overlap) {
    case 'skip':
      return 'skip';
    case 'queue':
      return work.hasWaiting ? 'skip' : 'wait';
    case 'cancel':
      return 'cancel_earlier';
    default:
      return work.overlap satisfies never;
  }
}

/**
 * The next time of a schedule whose clock was far ahead for a while, and is right again; null where nothing was wrong.
 * What has run stays run: a time that was taken then is not taken again.
 */
export function tickAfterWrongClock(times: {
  readonly ticks: Ticks;
  /** When the next time was decided on. */
  readonly decided: number;
  readonly now: number;
  readonly taken: ReadonlySet<number>;
}): number | null {
  const { ticks, decided, now, taken } = times;
  if (decided - now <= wrongClockMs) return null;
  let next = ticks.after(now);
  while (next !== null && taken.has(next)) next = ticks.after(next);
  return next;
}

/** How much later a time is due: always the same for the same time of the same schedule, whoever asks. */
export function delayMs({
  key,
  tick,
  jitterSeconds,
}: {
  readonly key: string;
  readonly tick: number;
  readonly jitterSeconds: number;
}): number {
  if (jitterSeconds === 0) return 0;
  let hash = 0x811c9dc5;
  for (const character of `${key} ${tick}`)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  // FNV leaves neighbours close together in its high bits; one more mixing spreads them.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (((hash ^ (hash >>> 13)) >>> 0) % (jitterSeconds + 1)) * 1000;
}
