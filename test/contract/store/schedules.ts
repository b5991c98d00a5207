import { describe, expect, test } from 'vitest';
import type { NewScheduleRun, StoredSchedule } from '../../../src/store/stored-schedule.js';
import { openedStore } from './opened-store.js';
import type { MakePlace } from './place.js';
import { aDispatch, aThread, at, done, id, newDispatch, newThread, refused, succeeded } from './records.js';

export function newSchedule(given: Partial<StoredSchedule> = {}): StoredSchedule {
  const scheduleId = id('schedule');
  return {
    id: scheduleId,
    name: `name-${scheduleId}`,
    when: 'every hour',
    cron: '0 * * * *',
    timeZone: 'UTC',
    missed: 'once',
    overlap: 'skip',
    jitterSeconds: 0,
    unanswered: 'wait',
    state: 'active',
    work: { text: 'Do it.', workspace: { path: '/workspace' } },
    nextAt: at(3600),
    dueAt: at(3600),
    revision: 0,
    spent: { usd: null, tokens: 0 },
    decidedAt: at(0),
    actor: 'user:owner',
    createdAt: at(0),
    ...given,
  };
}

function newScheduleRun(schedule: StoredSchedule, given: Partial<NewScheduleRun> = {}): NewScheduleRun {
  return {
    id: id('command'),
    scheduleId: schedule.id,
    tickAt: at(3600),
    at: at(3601),
    result: 'started',
    actor: `schedule:${schedule.name}`,
    ...given,
  };
}

/** Work that is given again and again: a time is one unit, and is decided about once. */
export function schedulesContract(makePlace: MakePlace): void {
  describe('a schedule', () => {
    const opened = openedStore(makePlace);

    test('is kept, found by id and by name, replaced and removed with what became of its times', async () => {
      const { store } = opened;
      const schedule = newSchedule();
      await done(store, [{ do: 'insertSchedule', schedule }]);
      expect(await store.query('schedule', { id: schedule.id })).toEqual(schedule);
      expect(await store.query('schedule', { name: schedule.name.toUpperCase() })).toEqual(schedule);
      const next = { ...schedule, revision: 1, nextAt: at(7200), dueAt: at(7200) };
      await done(store, [
        { do: 'replaceSchedule', schedule: next, if: { revision: 0 } },
        { do: 'addScheduleRun', run: newScheduleRun(schedule) },
      ]);
      expect(await store.query('schedule', { id: schedule.id })).toEqual(next);
      await done(store, [{ do: 'removeSchedule', id: schedule.id }]);
      expect(await store.query('schedule', { id: schedule.id })).toBeNull();
      expect((await store.query('scheduleRuns', { scheduleId: schedule.id })).rows).toEqual([]);
      const missing = { because: 'missing', operation: 0 };
      expect(await refused(store, { operations: [{ do: 'removeSchedule', id: schedule.id }] })).toEqual(
        missing,
      );
      expect(
        await refused(store, { operations: [{ do: 'addScheduleRun', run: newScheduleRun(schedule) }] }),
      ).toEqual(missing);
    });

    test('counts what its work uses, over the removal of threads, and keeps what is added to its budget', async () => {
      const { store } = opened;
      const schedule = newSchedule({ budget: { usd: 5 } });
      const threads = [await aThread(store), await aThread(store)] as const;
      const work = await aDispatch(store, threads[0].id, { state: 'running' });
      const run = newScheduleRun(schedule, { dispatchId: work.id, threadId: threads[0].id });
      await done(store, [
        { do: 'insertSchedule', schedule },
        { do: 'addScheduleRun', run },
      ]);
      const used = (threadId: (typeof threads)[0]['id'], costUsd: number | null) =>
        ({
          do: 'addUsage',
          threadId,
          runtime: 'claude',
          at: at(8),
          usage: { inputTokens: 10, outputTokens: 1, costUsd },
        }) as const;
      await done(store, [used(threads[0].id, 0.5), used(threads[0].id, null), used(threads[1].id, 9)]);
      const patch = { state: 'ended', outcome: succeeded } as const;
      await done(store, [{ do: 'patchDispatch', dispatchId: work.id, patch }]);
      // The last turn of work that was called off ends after it, also while other work waits for its turn in the thread.
      const next = await aDispatch(store, threads[0].id);
      await done(store, [used(threads[0].id, 1)]);
      await done(store, [{ do: 'patchDispatch', dispatchId: next.id, patch: { state: 'running' } }]);
      await done(store, [
        used(threads[0].id, 9),
        // Somebody who decides about its next time has not seen what was spent meanwhile.
        { do: 'replaceSchedule', schedule: { ...schedule, revision: 1 }, if: { revision: 0 } },
        { do: 'raiseScheduleBudget', id: schedule.id, by: { usd: 2, tokens: 7 } },
      ]);
      const expected = { ...schedule, revision: 2, budget: { usd: 7 }, spent: { usd: 1.5, tokens: 33 } };
      expect(await store.query('schedule', { dispatchId: work.id })).toEqual(expected);
      await done(store, [
        { do: 'patchDispatch', dispatchId: next.id, patch },
        { do: 'removeThread', threadId: threads[0].id },
      ]);
      expect(await store.query('schedule', { id: schedule.id })).toEqual(expected);
      expect(await store.query('schedule', { dispatchId: id('dispatch') })).toBeNull();
    });

    test('refuses a name that another one has, in whatever letters', async () => {
      const { store } = opened;
      const schedule = newSchedule();
      await done(store, [{ do: 'insertSchedule', schedule }]);
      const other = newSchedule({ name: schedule.name.toUpperCase() });
      expect(await refused(store, { operations: [{ do: 'insertSchedule', schedule: other }] })).toEqual({
        because: 'condition',
        operation: 0,
        current: { schedule },
      });
    });

    test('is due by its time, by work that waits, and never while it is paused', async () => {
      const { store } = opened;
      const early = newSchedule({ dueAt: at(10), nextAt: at(5) });
      const late = newSchedule({ dueAt: at(100_000) });
      const waiting = newSchedule({ dueAt: at(100_000), waitingAt: at(7) });
      const { dueAt: _due, nextAt: _next, ...rest } = newSchedule();
      const paused: StoredSchedule = { ...rest, state: 'paused' };
      await done(
        store,
        [early, late, waiting, paused].map((schedule) => ({ do: 'insertSchedule', schedule })),
      );
      const ids = async (query: { dueBefore?: string; active?: true }) =>
        (await store.query('schedules', query)).rows.map((row) => row.id);
      expect(await ids({ dueBefore: at(9) })).toEqual([waiting.id]);
      expect(await ids({ dueBefore: at(10) })).toEqual([early.id, waiting.id]);
      expect(await ids({ active: true })).toEqual(expect.arrayContaining([early.id, late.id, waiting.id]));
      expect(await ids({ active: true })).not.toContain(paused.id);
      expect(await ids({})).toContain(paused.id);
    });

    test('gives the work of a time once: whoever decided on what has changed is refused with all of it', async () => {
      const { store } = opened;
      const schedule = newSchedule();
      await done(store, [{ do: 'insertSchedule', schedule }]);
      const tick = () => {
        const thread = newThread();
        const dispatch = newDispatch(thread.id);
        return {
          dispatch,
          unit: {
            operations: [
              { do: 'insertThread', thread },
              { do: 'insertDispatch', dispatch },
              {
                do: 'replaceSchedule',
                schedule: { ...schedule, revision: 1, dueAt: at(7200) },
                if: { revision: 0 },
              },
              { do: 'addScheduleRun', run: newScheduleRun(schedule, { dispatchId: dispatch.id }) },
            ],
          },
        } as const;
      };
      const [first, second] = [tick(), tick()];
      expect((await store.commit(first.unit)).committed).toBe(true);
      expect(await refused(store, second.unit)).toMatchObject({ because: 'condition', operation: 2 });
      expect(await store.query('dispatch', { id: second.dispatch.id })).toBeNull();
      // Not even with the right revision: the time has been.
      const again = newScheduleRun(schedule);
      expect(await refused(store, { operations: [{ do: 'addScheduleRun', run: again }] })).toMatchObject({
        because: 'condition',
      });
      expect((await store.query('scheduleRuns', { scheduleId: schedule.id })).rows).toHaveLength(1);
    });

    test('tells how the work of its times stands, as long as it is kept', async () => {
      const { store } = opened;
      const schedule = newSchedule();
      const thread = await aThread(store);
      const dispatch = await aDispatch(store, thread.id);
      const started = newScheduleRun(schedule, { dispatchId: dispatch.id, threadId: thread.id });
      const byHand = newScheduleRun(schedule);
      const { tickAt: _tick, ...skipped } = { ...byHand, result: 'skipped' as const };
      await done(store, [
        { do: 'insertSchedule', schedule },
        { do: 'addScheduleRun', run: started },
        { do: 'addScheduleRun', run: skipped },
      ]);
      const query = { scheduleId: schedule.id, order: 'newest_first' } as const;
      expect((await store.query('scheduleRuns', query)).rows).toEqual([
        skipped,
        { ...started, state: 'queued' },
      ]);
      expect((await store.query('scheduleRuns', { ...query, open: true })).rows.map((row) => row.id)).toEqual(
        [started.id],
      );
      expect((await store.query('scheduleRuns', { ...query, ticksAfter: at(3599) })).rows).toHaveLength(1);
      expect((await store.query('scheduleRuns', { ...query, ticksAfter: at(3600) })).rows).toEqual([]);
      await done(store, [
        {
          do: 'patchDispatch',
          dispatchId: dispatch.id,
          patch: { state: 'ended', outcome: succeeded, endedAt: at(9) },
        },
      ]);
      const { result, exitCode, verification } = succeeded;
      expect((await store.query('scheduleRuns', query)).rows[1]).toEqual({
        ...started,
        state: 'ended',
        outcome: { result, exitCode, verification },
      });
      expect((await store.query('scheduleRuns', { ...query, open: true })).rows).toEqual([]);
      await done(store, [{ do: 'removeThread', threadId: thread.id }]);
      expect((await store.query('scheduleRuns', query)).rows[1]).toEqual(started);
    });

    test('keeps the last thousand times', async () => {
      const { store } = opened;
      const schedule = newSchedule();
      await done(store, [{ do: 'insertSchedule', schedule }]);
      await done(
        store,
        Array.from({ length: 1003 }, (_, index) => ({
          do: 'addScheduleRun',
          run: newScheduleRun(schedule, { tickAt: at(index) }),
        })),
      );
      const { rows } = await store.query('scheduleRuns', { scheduleId: schedule.id, limit: 1000 });
      expect(rows).toHaveLength(1000);
      expect(rows[0]?.tickAt).toBe(at(3));
    });

    test('of a worker that was superseded is not moved on by it', async () => {
      const place = await makePlace();
      const old = await place.open();
      const schedule = newSchedule();
      await done(old, [{ do: 'insertSchedule', schedule }]);
      const { id: workerId, epoch } = old.worker;
      await old.close();
      const successor = await place.open();
      const moved = {
        do: 'replaceSchedule',
        schedule: { ...schedule, revision: 1 },
        if: { revision: 0 },
      } as const;
      expect(
        await refused(successor, { operations: [moved], worker: { id: workerId, epoch } }),
      ).toMatchObject({
        because: 'superseded',
      });
      expect(await successor.query('schedule', { id: schedule.id })).toEqual(schedule);
      await successor.close();
      await place.remove();
    });
  });
}
