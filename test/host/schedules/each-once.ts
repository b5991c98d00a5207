import { expect } from 'vitest';
import { ticksOf } from '../../../src/domain/schedule/timetable.js';
import type { Store } from '../../../src/store/store.js';
import type { StoredDispatch } from '../../../src/store/stored-dispatch.js';
import type { StoredSchedule } from '../../../src/store/stored-schedule.js';

/** What became of the times of a schedule. */
export interface DecidedTimes {
  /** How many times came. */
  readonly ticks: number;
  readonly started: number;
  readonly dispatches: readonly StoredDispatch[];
}

/** Each time of a schedule from `first` on was decided about exactly once, and each one that started has exactly one dispatch. */
export async function expectEachOnce(
  store: Store,
  schedule: Pick<StoredSchedule, 'id' | 'name' | 'cron' | 'timeZone'>,
  first: string,
): Promise<DecidedTimes> {
  const { rows } = await store.query('scheduleRuns', { scheduleId: schedule.id, limit: 1000 });
  const stored = await store.query('schedule', { id: schedule.id });
  const times = ticksOf(schedule);
  let expected: number | null = Date.parse(first);
  let [ticks, started] = [0, 0];
  for (const run of rows.toSorted((one, other) => (one.tickAt ?? '').localeCompare(other.tickAt ?? ''))) {
    expect(run.tickAt, schedule.name).toBe(new Date(expected ?? 0).toISOString());
    for (let count = run.ticks ?? 1; count > 0; count -= 1) {
      expected = times.after(expected ?? 0);
      ticks += 1;
    }
    if (run.result === 'started') started += 1;
  }
  expect(stored?.nextAt).toBe(new Date(expected ?? 0).toISOString());
  expect(stored?.waitingAt).toBeUndefined();
  const dispatches: StoredDispatch[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.query('dispatches', { limit: 1000, ...(cursor !== undefined && { cursor }) });
    dispatches.push(...page.rows.filter(({ actor }) => actor === `schedule:${schedule.name}`));
    cursor = page.next;
  } while (cursor !== undefined);
  expect(dispatches).toHaveLength(started);
  expect(new Set(rows.flatMap(({ dispatchId }) => dispatchId ?? []))).toEqual(
    new Set(dispatches.map(({ id }) => id)),
  );
  expect(started).toBeGreaterThan(0);
  return { ticks, started, dispatches };
}

/** Chance that comes the same way again. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
