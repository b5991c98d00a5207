import { describe, expect, test } from 'vitest';
import type { MakePlace } from './place.js';
import { aDispatch, aThread, at, done, newDispatch, newPrompt, newThread, refused } from './records.js';

/** Workers: every opening raises the epoch at once, and what an older life writes is refused. */
export function workersContract(makePlace: MakePlace): void {
  describe('workers', () => {
    test('keep their id and get a higher epoch at every opening', async () => {
      const place = await makePlace();
      const first = await place.open({ name: 'one' });
      const old = first.worker;
      await first.close();
      const second = await place.open({ name: 'one' });
      const [thread, another] = [newThread(), newThread()];

      expect(second.worker.id).toBe(old.id);
      expect(second.worker.epoch).toBeGreaterThan(old.epoch);
      expect(await refused(second, { operations: [{ do: 'insertThread', thread }], worker: old })).toEqual({
        because: 'superseded',
        epoch: second.worker.epoch,
      });
      await done(second, [{ do: 'insertThread', thread: another }], { worker: second.worker });
      expect((await second.query('threads', {})).rows.map(({ id }) => id)).toEqual([another.id]);
      await second.close();
      await place.remove();
    });

    test('have a standing: what has not ended, what is asked, and what is not sent', async () => {
      const place = await makePlace();
      const store = await place.open({ name: 'one' });
      const nothing = { queued: 0, running: 0, waiting: 0 };
      expect(await store.query('standing', {})).toEqual({
        dispatches: nothing,
        openPrompts: 0,
        oldestPromptAt: null,
        unsent: 0,
      });
      const thread = newThread();
      await done(store, [
        { do: 'insertThread', thread },
        { do: 'insertDispatch', dispatch: newDispatch(thread.id) },
        { do: 'openPrompt', prompt: newPrompt(thread.id, { createdAt: at(7) }) },
        { do: 'putOutbox', entry: { id: 'a', kind: 'notify ops', payload: {}, dueAt: at(8) } },
      ]);
      expect(await store.query('standing', {})).toEqual({
        dispatches: { ...nothing, queued: 1 },
        openPrompts: 1,
        oldestPromptAt: at(7),
        unsent: 1,
      });
      await store.close();
      await place.remove();
    });

    test('of another name get an id of their own, and an epoch higher than all', async () => {
      const place = await makePlace();
      const one = await place.open({ name: 'one' });
      await one.close();
      const two = await place.open({ name: 'two' });
      await done(two, [{ do: 'beatWorker', at: at(5) }]);

      expect(await two.query('workers', {})).toEqual([
        { ...one.worker, name: 'one', startedAt: at(0), heartbeatAt: at(0) },
        { ...two.worker, name: 'two', startedAt: at(0), heartbeatAt: at(5) },
      ]);
      expect(two.worker.epoch).toBeGreaterThan(one.worker.epoch);
      await two.close();
      await place.remove();
    });

    test('say that they live, and hear whether they drain', async () => {
      const place = await makePlace();
      const store = await place.open({ name: 'one' });
      const profile = { labels: ['gpu'], slots: 3, sharedFolders: ['/srv'] };
      expect(await store.beat({ at: at(5), profile })).toEqual({ isDraining: false });
      const known = { ...store.worker, name: 'one', startedAt: at(0) };
      expect(await store.query('workers', {})).toEqual([{ ...known, heartbeatAt: at(5), profile }]);
      await done(store, [{ do: 'drainWorker', workerId: store.worker.id, at: at(6) }]);
      expect(await store.beat({ at: at(7), profile })).toEqual({ isDraining: true });
      await store.close();
      await place.remove();
    });

    test('take their own leases again after a restart, at once; another waits for the expiry', async () => {
      const place = await makePlace();
      const before = await place.open({ name: 'one' });
      const dispatch = await aDispatch(before, (await aThread(before)).id);
      const [[claimed]] = await done(before, [
        { do: 'claimDispatches', limit: 1, now: at(0), until: at(60) },
      ]);
      await before.close();

      const other = await place.open({ name: 'two' });
      const take = { do: 'acquireLease', dispatchId: dispatch.id, now: at(1), until: at(61) } as const;
      expect(await refused(other, { operations: [take] })).toEqual({
        because: 'condition',
        operation: 0,
        current: { dispatch: claimed },
      });
      await other.close();

      const after = await place.open({ name: 'one' });
      const stale = { dispatchId: dispatch.id, epoch: claimed?.lease?.epoch ?? 0 };
      expect(await done(after, [take])).toEqual([
        { workerId: after.worker.id, epoch: stale.epoch + 1, until: at(61) },
      ]);
      expect(await refused(after, { operations: [], lease: stale })).toMatchObject({ because: 'lease_lost' });
      await after.close();
      await place.remove();
    });
  });
}
