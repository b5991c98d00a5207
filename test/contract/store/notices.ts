import { describe, expect, test } from 'vitest';
import type { Notice } from '../../../src/store/change.js';
import type { Subscription } from '../../../src/store/subscription.js';
import { openedStore } from './opened-store.js';
import type { MakePlace } from './place.js';
import { aRun, aThread, at, done, idle, newDispatch, newEvent, newPrompt, refused } from './records.js';

/** Notices: of what is committed, only of that, after it; a slow subscriber is told what it missed. */
export function noticesContract(makePlace: MakePlace): void {
  describe('notices', () => {
    const opened = openedStore(makePlace);

    test('tell what a unit changed', async () => {
      const { store } = opened;
      const thread = await aThread(store);
      const threadId = thread.id;
      const run = await aRun(store, threadId);
      const [dispatch, prompt] = [newDispatch(threadId), newPrompt(threadId)];
      using subscription = store.subscribe();
      await done(store, [
        { do: 'appendEvents', threadId, runId: run.id, events: [newEvent(1), newEvent(2)] },
        { do: 'insertDispatch', dispatch },
        { do: 'openPrompt', prompt },
        { do: 'appendStatus', threadId, report: idle, at: at(1) },
        { do: 'patchRun', runId: run.id, patch: { sessionId: 's' } },
        { do: 'putOutbox', entry: { id: `o ${threadId}`, kind: 'k', payload: {}, dueAt: at(0) } },
      ]);

      expect(await take(subscription, 7)).toEqual([
        { topic: 'events', threadId, seq: 2 },
        { topic: 'dispatch', threadId, dispatchId: dispatch.id },
        { topic: 'prompt', threadId, promptId: prompt.id },
        { topic: 'thread', threadId },
        { topic: 'status', threadId },
        { topic: 'run', threadId, runId: run.id },
        { topic: 'outbox', id: `o ${threadId}` },
      ]);
    });

    test('come after the commit: what they speak of can be read', async () => {
      const { store } = opened;
      const thread = await aThread(store);
      using subscription = store.subscribe({ topics: ['events'], threadId: thread.id });
      const writing = Promise.all(
        Array.from({ length: 50 }, () =>
          done(store, [{ do: 'appendEvents', threadId: thread.id, events: [note] }]),
        ),
      );
      let heard = 0;
      for await (const notice of subscription) {
        if (notice.topic !== 'events') throw new Error(`unexpected ${notice.topic}`);
        heard = notice.seq;
        const [row] = await store.query('events', { threadId: thread.id, after: heard - 1, limit: 1 });
        expect(row?.seq).toBe(heard);
        if (heard === 50) break;
      }
      await writing;
    });

    test('say nothing of what was refused or repeated', async () => {
      const { store } = opened;
      const thread = await aThread(store);
      const run = await aRun(store, thread.id);
      const append = {
        do: 'appendEvents',
        threadId: thread.id,
        runId: run.id,
        events: [newEvent(1)],
      } as const;
      await done(store, [append]);
      using subscription = store.subscribe({ threadId: thread.id });
      await refused(store, {
        operations: [
          { do: 'appendStatus', threadId: thread.id, report: idle, at: at(0) },
          { do: 'insertThread', thread },
        ],
      });
      await done(store, [append]);
      await done(store, [{ do: 'patchThread', threadId: thread.id, patch: { grants: [] } }]);

      expect(await take(subscription, 1)).toEqual([{ topic: 'thread', threadId: thread.id }]);
    });

    test('are filtered by topic and thread', async () => {
      const { store } = opened;
      const [one, other] = [await aThread(store), await aThread(store)];
      using subscription = store.subscribe({ topics: ['status'], threadId: one.id });
      const report = { report: idle, at: at(0) };
      await done(store, [
        { do: 'appendStatus', threadId: other.id, ...report },
        { do: 'patchThread', threadId: one.id, patch: { grants: [] } },
        { do: 'appendStatus', threadId: one.id, ...report },
      ]);

      expect(await take(subscription, 1)).toEqual([{ topic: 'status', threadId: one.id }]);
    });

    test('are dropped, with a notice, for a subscriber that does not read', async () => {
      const { store } = opened;
      const thread = await aThread(store);
      using slow = store.subscribe({ topics: ['events'], threadId: thread.id, capacity: 3 });
      const append = { do: 'appendEvents', threadId: thread.id, events: [note] } as const;
      for (let count = 0; count < 5; count += 1) await done(store, [append]);
      expect(await take(slow, 1)).toEqual([{ topic: 'missed', changes: 5 }]);

      await done(store, [append]);
      expect(await take(slow, 1)).toEqual([{ topic: 'events', threadId: thread.id, seq: 6 }]);
    });

    test('end when the subscription or the store is closed', async () => {
      const place = await makePlace();
      const store = await place.open();
      const [early, late] = [store.subscribe(), store.subscribe()];
      const [ofEarly, ofLate] = [early.next(), late.next()];
      early.close();
      expect(await ofEarly).toEqual({ done: true, value: undefined });
      await store.close();
      expect(await ofLate).toEqual({ done: true, value: undefined });
      expect(await store.subscribe().next()).toEqual({ done: true, value: undefined });
      await place.remove();
    });
  });
}

const note = { type: 'note', timestamp: at(0), json: '{"type":"note"}' };

async function take(subscription: Subscription, count: number): Promise<Notice[]> {
  const notices: Notice[] = [];
  while (notices.length < count) {
    const { value } = await subscription.next();
    if (value) notices.push(value);
  }
  return notices;
}
