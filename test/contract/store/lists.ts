import { describe, expect, test } from 'vitest';
import { openedStore } from './opened-store.js';
import type { MakePlace } from './place.js';
import { aDispatch, aRun, aThread, at, done, idle, refused } from './records.js';

/** Lists: pages without gaps and doubles, while more is added; usage totals; the outbox. */
export function listsContract(makePlace: MakePlace): void {
  describe('lists', () => {
    const opened = openedStore(makePlace);

    test('come in pages, in either order, even when rows are added meanwhile', async () => {
      const { store } = opened;
      const thread = await aThread(store);
      const runs = [];
      for (let made = 0; made < 7; made += 1) runs.push((await aRun(store, thread.id)).id);
      const walk = async (order: 'oldest_first' | 'newest_first') => {
        const pages: string[][] = [];
        let cursor: string | undefined;
        do {
          const page = await store.query('runs', {
            threadId: thread.id,
            limit: 3,
            order,
            ...(cursor === undefined ? {} : { cursor }),
          });
          pages.push(page.rows.map(({ id }) => id));
          if (order === 'newest_first') await aRun(store, thread.id);
          cursor = page.next;
        } while (cursor !== undefined);
        return pages;
      };

      expect(await walk('oldest_first')).toEqual([runs.slice(0, 3), runs.slice(3, 6), runs.slice(6)]);
      const newest = runs.toReversed();
      expect(await walk('newest_first')).toEqual([newest.slice(0, 3), newest.slice(3, 6), newest.slice(6)]);
    });

    test('of exactly a page have no next one', async () => {
      const { store } = opened;
      const thread = await aThread(store);
      for (const seconds of [1, 2]) {
        await done(store, [{ do: 'appendStatus', threadId: thread.id, report: idle, at: at(seconds) }]);
      }

      expect(await store.query('statusLog', { threadId: thread.id, limit: 2 })).toEqual({
        rows: [1, 2].map((seconds) => ({ threadId: thread.id, report: idle, at: at(seconds) })),
      });
    });

    test('refuse a cursor that no list gave', async () => {
      await expect(opened.store.query('threads', { cursor: "1' or 1" })).rejects.toMatchObject({
        name: 'Failure',
        code: 'invalid',
      });
    });

    test('of runs and dispatches are filtered by state', async () => {
      const { store } = opened;
      const thread = await aThread(store);
      const [ended, live] = [await aRun(store, thread.id, { endedAt: at(9) }), await aRun(store, thread.id)];
      const [queued, waiting] = [
        await aDispatch(store, thread.id),
        await aDispatch(store, thread.id, { state: 'waiting' }),
      ];
      const runs = async (filter: { ended?: boolean }) =>
        (await store.query('runs', { threadId: thread.id, ...filter })).rows.map(({ id }) => id);
      const dispatches = async (filter: { state?: 'queued' | 'waiting' }) =>
        (await store.query('dispatches', { threadId: thread.id, ...filter })).rows.map(({ id }) => id);

      expect([await runs({ ended: true }), await runs({ ended: false }), await runs({})]).toEqual([
        [ended.id],
        [live.id],
        [ended.id, live.id],
      ]);
      expect([await dispatches({ state: 'queued' }), await dispatches({ state: 'waiting' })]).toEqual([
        [queued.id],
        [waiting.id],
      ]);
    });

    test('of usage add up; a cost nobody knows stays null', async () => {
      const place = await makePlace();
      const store = await place.open();
      const [one, two] = [await aThread(store), await aThread(store, { runtime: 'codex' })];
      const day = 24 * 60 * 60;
      const add = (
        threadId: typeof one.id,
        runtime: 'claude' | 'codex',
        seconds: number,
        costUsd: number | null,
      ) =>
        done(store, [
          {
            do: 'addUsage',
            threadId,
            runtime,
            at: at(seconds),
            usage: { inputTokens: 10, outputTokens: 1, costUsd },
          },
        ]);
      await add(one.id, 'claude', 0, 0.5);
      await add(one.id, 'claude', 1, null);
      await add(one.id, 'claude', day, 0.25);
      await add(two.id, 'codex', day, null);

      expect(await store.query('usage', { by: 'day' })).toEqual([
        total('2026-01-01', 2, 0.5),
        total('2026-01-02', 2, 0.25),
      ]);
      expect(await store.query('usage', { by: 'runtime' })).toEqual([
        total('claude', 3, 0.75),
        total('codex', 1, null),
      ]);
      expect(await store.query('usage', { by: 'thread' })).toEqual([
        total(one.id, 3, 0.75),
        total(two.id, 1, null),
      ]);
      expect((await store.query('thread', { id: one.id }))?.usage).toEqual(total('', 3, 0.75).usage);
      await store.close();
      await place.remove();
    });

    test('of usage keep processor time and memory apart by status, also of threads that are gone', async () => {
      const place = await makePlace();
      const store = await place.open();
      const thread = await aThread(store);
      const where = { threadId: thread.id, runtime: 'claude', at: at(0) } as const;
      const usage = { inputTokens: 10, outputTokens: 1, costUsd: 0.5 };
      await done(store, [
        { do: 'addResources', ...where, status: 'busy', used: used(500, 300) },
        { do: 'addUsage', ...where, usage, status: 'busy' },
        { do: 'addResources', ...where, status: 'busy', used: used(250, 100) },
        { do: 'addResources', ...where, status: 'question', used: used(0, 50) },
        { do: 'addUsage', ...where, usage },
      ]);
      const none = { inputTokens: 0, outputTokens: 0, costUsd: null };
      const byStatus = [
        {
          key: 'busy',
          usage,
          resources: { cpuSeconds: 0.75, aliveSeconds: 4, meanMemoryBytes: 2e8, peakMemoryBytes: 3e8 },
        },
        {
          key: 'question',
          usage: none,
          resources: { cpuSeconds: 0, aliveSeconds: 2, meanMemoryBytes: 5e7, peakMemoryBytes: 5e7 },
        },
        { key: 'unknown', usage },
      ];
      const all = {
        usage: { inputTokens: 20, outputTokens: 2, costUsd: 1 },
        resources: { cpuSeconds: 0.75, aliveSeconds: 6, meanMemoryBytes: 1.5e8, peakMemoryBytes: 3e8 },
      };
      expect(await store.query('usage', { by: 'status' })).toEqual(byStatus);
      expect(await store.query('usage', { by: 'thread' })).toEqual([{ key: thread.id, ...all }]);
      await done(store, [{ do: 'removeThread', threadId: thread.id }]);
      expect(await store.query('usage', { by: 'status' })).toEqual(byStatus);
      expect(await store.query('usage', { by: 'runtime' })).toEqual([{ key: 'claude', ...all }]);
      await store.close();
      await place.remove();
    });

    test('of the outbox give what is due, hand it out once, and again when it was not finished', async () => {
      const place = await makePlace();
      const store = await place.open();
      const put = { do: 'putOutbox', entry: entry('a', 0) } as const;
      expect(await done(store, [put, { do: 'putOutbox', entry: entry('b', 5) }, put])).toEqual([
        { changed: 1 },
        { changed: 1 },
        { changed: 0 },
      ]);
      const claim = (now: number) =>
        done(store, [{ do: 'claimOutbox', limit: 10, now: at(now), until: at(now + 10) }]);

      expect(await store.query('outboxDue', { at: at(0) })).toEqual([{ ...entry('a', 0), tries: 0 }]);
      expect(await claim(1)).toEqual([[{ ...entry('a', 11), tries: 1 }]]);
      expect(await claim(2)).toEqual([[]]);
      expect(await claim(11)).toEqual([
        [
          { ...entry('b', 21), tries: 1 },
          { ...entry('a', 21), tries: 2 },
        ],
      ]);
      await done(store, [
        { do: 'finishOutbox', id: 'a', at: at(12) },
        { do: 'postponeOutbox', id: 'b', dueAt: at(100) },
      ]);
      expect(await claim(99)).toEqual([[]]);
      expect(await refused(store, { operations: [{ do: 'finishOutbox', id: 'a', at: at(13) }] })).toEqual({
        because: 'missing',
        operation: 0,
      });
      expect(await claim(100)).toEqual([[{ ...entry('b', 110), tries: 2 }]]);
      await store.close();
      await place.remove();
    });
  });
}

function used(cpuMs: number, megabytes: number) {
  return {
    cpuMs,
    aliveMs: 2000,
    memoryByteSeconds: 2e6 * megabytes,
    peakMemoryBytes: 1e6 * megabytes,
  };
}

function total(key: string, times: number, costUsd: number | null) {
  return { key, usage: { inputTokens: 10 * times, outputTokens: times, costUsd } };
}

function entry(name: string, seconds: number) {
  return { id: name, kind: 'push', payload: { name }, dueAt: at(seconds) };
}
