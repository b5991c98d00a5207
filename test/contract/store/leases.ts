import { describe, expect, test } from 'vitest';
import type { DispatchId } from '../../../src/protocol/id.js';
import { openedStore } from './opened-store.js';
import type { MakePlace } from './place.js';
import { aDispatch, aRun, aThread, at, done, id, newEvent, refused } from './records.js';

/** Leases: an epoch per acquisition, expiry by the clock that is passed in, and fenced units. */
export function leasesContract(makePlace: MakePlace): void {
  describe('leases', () => {
    const opened = openedStore(makePlace);

    test('are held until they are released or expire, each with a higher epoch', async () => {
      const { store } = opened;
      const thread = await aThread(store);
      const dispatch = await aDispatch(store, thread.id, { state: 'running' });
      const workerId = store.worker.id;

      expect(await done(store, [acquire(dispatch.id, 0, 10)])).toEqual([
        { workerId, epoch: 1, until: at(10) },
      ]);
      expect(await refused(store, { operations: [acquire(dispatch.id, 9, 20)] })).toEqual({
        because: 'condition',
        operation: 0,
        current: { dispatch: { ...dispatch, attempts: [], lease: { workerId, epoch: 1, until: at(10) } } },
      });
      expect(
        await done(store, [{ do: 'renewLease', dispatchId: dispatch.id, epoch: 1, until: at(15) }]),
      ).toEqual([{ workerId, epoch: 1, until: at(15) }]);
      expect(await refused(store, { operations: [acquire(dispatch.id, 14, 20)] })).toMatchObject({
        because: 'condition',
      });
      expect(await done(store, [acquire(dispatch.id, 15, 20)])).toEqual([
        { workerId, epoch: 2, until: at(20) },
      ]);
      await done(store, [{ do: 'releaseLease', dispatchId: dispatch.id, epoch: 2 }]);
      expect(await store.query('dispatch', { id: dispatch.id })).toEqual({ ...dispatch, attempts: [] });
      expect(await done(store, [acquire(dispatch.id, 16, 20)])).toEqual([
        { workerId, epoch: 3, until: at(20) },
      ]);
    });

    test.each(['queued', 'ended'] as const)('are had of nothing that is %s', async (state) => {
      const { store } = opened;
      const dispatch = await aDispatch(store, (await aThread(store)).id, { state });
      expect(await refused(store, { operations: [acquire(dispatch.id, 0, 10)] })).toEqual({
        because: 'condition',
        operation: 0,
        current: { dispatch: { ...dispatch, attempts: [] } },
      });
    });

    test('can be renewed and released by their holder only', async () => {
      const { store } = opened;
      const thread = await aThread(store);
      const dispatch = await aDispatch(store, thread.id, { state: 'running' });
      await done(store, [acquire(dispatch.id, 0, 10)]);
      await done(store, [acquire(dispatch.id, 10, 20)]);

      const late = [
        await refused(store, {
          operations: [{ do: 'renewLease', dispatchId: dispatch.id, epoch: 1, until: at(30) }],
        }),
        await refused(store, { operations: [{ do: 'releaseLease', dispatchId: dispatch.id, epoch: 1 }] }),
        await refused(store, {
          operations: [{ do: 'renewLease', dispatchId: id('dispatch'), epoch: 1, until: at(30) }],
        }),
      ];
      expect(late.map(({ because }) => because)).toEqual(['condition', 'condition', 'missing']);
    });

    test('fence units: a lost lease refuses all of it', async () => {
      const { store } = opened;
      const thread = await aThread(store);
      const run = await aRun(store, thread.id);
      const dispatch = await aDispatch(store, thread.id, { state: 'running' });
      const append = (runSeq: number) =>
        [{ do: 'appendEvents', threadId: thread.id, runId: run.id, events: [newEvent(runSeq)] }] as const;
      const [{ epoch }] = await done(store, [acquire(dispatch.id, 0, 10)]);
      const lease = { dispatchId: dispatch.id, epoch };

      await done(store, append(1), { lease });
      const [{ epoch: next }] = await done(store, [acquire(dispatch.id, 11, 20)]);
      expect(await refused(store, { operations: append(2), lease })).toEqual({
        because: 'lease_lost',
        current: await store.query('dispatch', { id: dispatch.id }),
      });
      await done(store, append(2), { lease: { ...lease, epoch: next } });
      await done(store, [{ do: 'releaseLease', dispatchId: dispatch.id, epoch: next }]);
      expect(await refused(store, { operations: append(3), lease: { ...lease, epoch: next } })).toMatchObject(
        { because: 'lease_lost' },
      );
      expect(
        await refused(store, { operations: [], lease: { dispatchId: id('dispatch'), epoch: 1 } }),
      ).toEqual({
        because: 'lease_lost',
        current: null,
      });
      expect((await store.query('events', { threadId: thread.id })).map(({ runSeq }) => runSeq)).toEqual([
        1, 2,
      ]);
    });
  });
}

function acquire(dispatchId: DispatchId, now: number, until: number) {
  return { do: 'acquireLease', dispatchId, now: at(now), until: at(until) } as const;
}
