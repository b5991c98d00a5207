import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { MakePlace } from './place.js';
import {
  aDispatch,
  aPrompt,
  aRun,
  aThread,
  at,
  done,
  idle,
  newDispatch,
  newEvent,
  refused,
  succeeded,
} from './records.js';

const over = { state: 'ended', outcome: succeeded, endedAt: at(9) } as const;

/** Threads that are put aside and removed: only what is over, with everything of it, and what it cost stays known. */
export function removalContract(makePlace: MakePlace): void {
  describe('a thread that is over', () => {
    test('gives its events away only once it is archived, closed and has no later ones, and only once', async () => {
      const place = await makePlace();
      const store = await place.open();
      const { id: threadId } = await aThread(store);
      const dispatch = await aDispatch(store, threadId, over);
      const events = [newEvent(1, 'xylophone'), newEvent(2, 'marimba')];
      const run = await aRun(store, threadId, { endedAt: at(5) });
      await done(store, [{ do: 'appendEvents', threadId, runId: run.id, events }]);
      const drop = { do: 'dropEvents', threadId, upTo: 2, file: '/x.gz' } as const;
      await refused(store, { operations: [drop] });
      await done(store, [{ do: 'archiveThread', threadId, at: at(9) }]);
      await refused(store, { operations: [{ ...drop, upTo: 1 }] });
      const notice = { type: 'notice', timestamp: at(10), json: '{"message":"Moved."}' };
      await done(store, [drop, { do: 'appendEvents', threadId, events: [notice] }]);
      expect(await store.query('events', { threadId, after: 0 })).toMatchObject([{ seq: 3, type: 'notice' }]);
      expect(await store.query('thread', { id: threadId })).toMatchObject({ eventsIn: '/x.gz', lastSeq: 3 });
      expect(await store.query('dispatch', { id: dispatch.id })).toMatchObject({ id: dispatch.id });
      await refused(store, { operations: [{ ...drop, upTo: 3 }] });
    });

    test('is removed with everything of it, and nothing else is', async () => {
      const place = await makePlace();
      const store = await place.open();
      const [gone, stays] = [await aThread(store), await aThread(store)];
      for (const { id: threadId } of [gone, stays]) {
        const run = await aRun(store, threadId, { endedAt: at(5) });
        const dispatch = await aDispatch(store, threadId, over);
        await aPrompt(store, threadId);
        await done(store, [
          { do: 'startAttempt', dispatchId: dispatch.id, at: at(3) },
          { do: 'appendEvents', threadId, runId: run.id, events: [newEvent(1, `xylophone ${threadId}`)] },
          { do: 'putToolOutput', threadId, toolUseId: 't', text: 'said' },
          {
            do: 'addComment',
            comment: {
              id: randomUUID(),
              threadId,
              file: 'a.ts',
              line: 1,
              side: 'new',
              body: 'Why?',
              author: 'user:o',
              state: 'open',
              createdAt: at(4),
            },
            most: 10,
          },
          { do: 'appendStatus', threadId, report: idle, at: at(4) },
          {
            do: 'addUsage',
            threadId,
            runtime: 'claude',
            at: at(4),
            usage: { inputTokens: 10, outputTokens: 1, costUsd: 0.5 },
          },
          {
            do: 'putLanding',
            landing: {
              id: `l-${threadId}`,
              threadId,
              kind: 'merge',
              state: 'done',
              sentence: '',
              actor: 'user:o',
              createdAt: at(4),
            },
          },
        ]);
      }
      const [size] = await store.query('threadSizes', { threadIds: [gone.id] });
      expect(size?.bytes).toBeGreaterThan(100);
      const usage = await store.query('usage', { by: 'day' });
      using changes = store.subscribe({ topics: ['thread'] });

      expect(await done(store, [{ do: 'removeThread', threadId: gone.id }])).toEqual([{ changed: 1 }]);
      expect((await changes.next()).value).toEqual({ topic: 'thread', threadId: gone.id });
      expect(await store.query('thread', { id: gone.id })).toBeNull();
      expect(await store.query('events', { threadId: gone.id })).toEqual([]);
      expect((await store.query('threads', { search: 'xylophone' })).rows.map((row) => row.id)).toEqual([
        stays.id,
      ]);
      expect(await store.query('usage', { by: 'day' })).toEqual(usage);
      expect((await store.query('usage', { by: 'runtime' }))[0]?.usage.inputTokens).toBe(20);
      expect((await store.query('usage', { by: 'thread' })).map(({ key }) => key)).toEqual([stays.id]);
      expect(await refused(store, { operations: [{ do: 'removeThread', threadId: gone.id }] })).toMatchObject(
        {
          because: 'missing',
        },
      );
      await store.compact();
      expect((await store.query('events', { threadId: stays.id })).length).toBe(1);
      expect((await store.query('landings', { threadId: stays.id })).length).toBe(1);
      await store.close();
      await place.remove();
    });

    test('is put off, also for a store that is opened again, and taken back', async () => {
      const place = await makePlace();
      const store = await place.open();
      const { id: threadId } = await aThread(store);
      const snoozed = { at: at(1), until: at(9), by: 'user:owner', hadFailed: false };
      await done(store, [{ do: 'patchThread', threadId, patch: { snoozed } }]);
      await store.close();
      const again = await place.open();
      expect((await again.query('thread', { id: threadId }))?.snoozed).toEqual(snoozed);
      await done(again, [{ do: 'patchThread', threadId, patch: { snoozed: null } }]);
      expect(await again.query('thread', { id: threadId })).not.toHaveProperty('snoozed');
      await again.close();
      await place.remove();
    });

    test('is archived, takes no more work, and comes back; its name is free meanwhile', async () => {
      const place = await makePlace();
      const store = await place.open();
      const thread = await aThread(store, { name: 'mine' });
      const work = await aDispatch(store, thread.id);
      const run = await aRun(store, thread.id);
      const archive = (to: string | null) => ({ do: 'archiveThread', threadId: thread.id, at: to }) as const;
      const remove = { do: 'removeThread', threadId: thread.id } as const;
      const refusals = async () =>
        await Promise.all(
          [archive(at(7)), remove].map(async (each) => await refused(store, { operations: [each] })),
        );

      expect(await refusals()).toMatchObject([
        { current: { dispatch: { id: work.id } } },
        { current: { dispatch: { id: work.id } } },
      ]);
      await done(store, [{ do: 'patchDispatch', dispatchId: work.id, patch: over }]);
      expect(await refusals()).toMatchObject([
        { current: { run: { id: run.id } } },
        { current: { run: { id: run.id } } },
      ]);
      await done(store, [{ do: 'patchRun', runId: run.id, patch: { endedAt: at(6) } }]);

      await done(store, [archive(at(7))]);
      expect((await store.query('thread', { id: thread.id }))?.archivedAt).toBe(at(7));
      expect((await store.query('threads', { archived: true })).rows.length).toBe(1);
      expect((await store.query('threads', { archived: false })).rows.length).toBe(0);
      const more = { do: 'insertDispatch', dispatch: newDispatch(thread.id) } as const;
      expect(await refused(store, { operations: [more] })).toMatchObject({
        current: { thread: { id: thread.id } },
      });

      const other = await aThread(store, { name: 'MINE' });
      expect(await refused(store, { operations: [archive(null)] })).toMatchObject({
        current: { thread: { id: other.id } },
      });
      await done(store, [{ do: 'patchThread', threadId: other.id, patch: { name: null } }, archive(null)]);
      await done(store, [more]);
      await store.close();
      await place.remove();
    });

    test('is found once nothing has happened in it for long enough', async () => {
      const place = await makePlace();
      const store = await place.open();
      const [quiet, said, works] = [await aThread(store), await aThread(store), await aThread(store)];
      await aDispatch(store, quiet.id, over);
      await done(store, [
        { do: 'appendEvents', threadId: said.id, events: [{ ...newEvent(1), timestamp: at(50) }] },
      ]);
      await aDispatch(store, works.id);
      const since = async (seconds: number) =>
        (await store.query('threads', { quietSince: at(seconds) })).rows.map((row) => row.id);
      expect([await since(0), await since(10), await since(51)]).toEqual([
        [],
        [quiet.id],
        [quiet.id, said.id],
      ]);
      await store.close();
      await place.remove();
    });

    test('and notifications that were sent are forgotten by age; what is to be sent is not', async () => {
      const place = await makePlace();
      const store = await place.open();
      await done(store, [
        ...['a', 'b', 'c'].map((name) => ({ do: 'putOutbox', entry: entry(name) }) as const),
        { do: 'finishOutbox', id: 'a', at: at(1) },
        { do: 'finishOutbox', id: 'b', at: at(20) },
      ]);
      const forget = (seconds: number) =>
        done(store, [{ do: 'forgetOutbox', doneBefore: at(seconds), limit: 10 }]);
      expect([await forget(1), await forget(10), await forget(10)]).toEqual([
        [{ changed: 0 }],
        [{ changed: 1 }],
        [{ changed: 0 }],
      ]);
      expect((await store.query('outboxDue', { at: at(99) })).map((each) => each.id)).toEqual(['c']);
      await store.close();
      await place.remove();
    });
  });
}

function entry(name: string) {
  return { id: name, kind: 'push', payload: {}, dueAt: at(0) };
}
