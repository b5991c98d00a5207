import { describe, expect, test } from 'vitest';
import type { Store } from '../../../src/store/store.js';
import type { NewDispatch } from '../../../src/store/stored-dispatch.js';
import type { MakePlace } from './place.js';
import { aDispatch, aRun, aThread, at, done, newDispatch, succeeded } from './records.js';

/** Claims: the right order, the right time, one at a time per thread and workspace, and nothing twice. */
export function claimsContract(makePlace: MakePlace): void {
  const claiming = (body: (store: Store) => Promise<void>) => () => inPlace(makePlace, body);

  describe('claims', () => {
    test(
      'make the dispatch running and leased',
      claiming(async (store) => {
        const thread = await aThread(store);
        const dispatch = await aDispatch(store, thread.id);
        const claimed = {
          ...dispatch,
          state: 'running',
          attempts: [],
          lease: { workerId: store.worker.id, epoch: 1, until: at(60) },
        };

        expect(await done(store, [{ do: 'claimDispatches', limit: 1, now: at(0), until: at(60) }])).toEqual([
          [claimed],
        ]);
        expect(await store.query('dispatches', { state: 'running' })).toEqual({ rows: [claimed] });
        expect(await claim(store)).toEqual([]);
      }),
    );

    test(
      'leave work of a runtime alone while some of it waits for quota, and take that of others',
      claiming(async (store) => {
        const limited = await aDispatch(store, (await aThread(store)).id);
        const held = await aDispatch(store, (await aThread(store)).id, { priority: 9 });
        const other = await aDispatch(store, (await aThread(store, { runtime: 'codex' })).id);
        const patch = { notBefore: at(100), why: 'w', waitsFor: 'quota' } as const;
        await done(store, [{ do: 'patchDispatch', dispatchId: limited.id, patch }]);
        expect(await store.query('dispatch', { id: limited.id })).toMatchObject({ waitsFor: 'quota' });
        const ids = async (now: number) =>
          (
            await done(store, [{ do: 'claimDispatches', limit: 9, now: at(now), until: at(now + 60) }])
          )[0].map(({ id }) => id);
        expect(await ids(50)).toEqual([other.id]);
        expect(await ids(100)).toEqual([held.id, limited.id]);
        const claimed = await store.query('dispatch', { id: limited.id });
        expect(claimed).toMatchObject({ state: 'running' });
        expect(claimed).not.toHaveProperty('waitsFor');
      }),
    );

    test(
      'take work of another account of the same runtime meanwhile',
      claiming(async (store) => {
        const account = async (token?: string) => {
          const env = token === undefined ? { PORT: '1' } : { ANTHROPIC_API_KEY: token };
          const launch = { permissions: 'approval', posture: { env } } as const;
          return (await aThread(store, { launch })).id;
        };
        const limited = await aDispatch(store, await account('one'));
        const [same, another, own] = [
          await aDispatch(store, await account('one')),
          await aDispatch(store, await account('two')),
          await aDispatch(store, await account()),
        ];
        const patch = { notBefore: at(100), waitsFor: 'quota' } as const;
        await done(store, [{ do: 'patchDispatch', dispatchId: limited.id, patch }]);
        expect(await claim(store)).toEqual([another.id, own.id]);
        expect(await store.query('dispatch', { id: same.id })).toMatchObject({ state: 'queued' });
        const { account: stored } = (await store.query('thread', { id: same.threadId })) ?? {};
        expect(stored).toMatch(/^[\w-]{22}$/);
        expect(await store.query('thread', { id: own.threadId })).not.toHaveProperty('account');
      }),
    );

    test(
      'take the highest priority first, then the oldest, and no more than asked',
      claiming(async (store) => {
        const [low, first, second, high] = [
          await aDispatch(store, (await aThread(store)).id, { priority: -1 }),
          await aDispatch(store, (await aThread(store)).id),
          await aDispatch(store, (await aThread(store)).id),
          await aDispatch(store, (await aThread(store)).id, { priority: 5 }),
        ];

        expect(await claim(store, { limit: 2 })).toEqual([high.id, first.id]);
        expect(await claim(store)).toEqual([second.id, low.id]);
      }),
    );

    test(
      'wait for the time and for the earlier dispatches of the thread',
      claiming(async (store) => {
        const [one, two] = [await aThread(store), await aThread(store)];
        const [first, second] = [
          await aDispatch(store, one.id),
          await aDispatch(store, one.id, { priority: 9 }),
        ];
        const timed = await aDispatch(store, two.id, { notBefore: at(10) });

        expect(await claim(store, { now: 9 })).toEqual([first.id]);
        expect(await claim(store, { now: 10 })).toEqual([timed.id]);
        await done(store, [{ do: 'patchDispatch', dispatchId: first.id, patch: { state: 'waiting' } }]);
        expect(await claim(store, { now: 10 })).toEqual([]);
        await end(store, first);
        expect(await claim(store, { now: 10 })).toEqual([second.id]);
      }),
    );

    test(
      'that have to include a piece of work refuse the whole unit where something else comes first',
      claiming(async (store) => {
        const thread = await aThread(store);
        const dispatch = newDispatch(thread.id);
        const claimIncluding = {
          do: 'claimDispatches',
          limit: 1,
          now: at(0),
          until: at(60),
          including: dispatch.id,
        } as const;
        const unit = { operations: [{ do: 'insertDispatch', dispatch }, claimIncluding] } as const;
        const urgent = await aDispatch(store, (await aThread(store)).id, { priority: 9 });

        expect(await store.commit(unit)).toMatchObject({
          committed: false,
          refusal: { because: 'condition', operation: 1, current: { dispatch: { id: dispatch.id } } },
        });
        expect(await store.query('dispatch', { id: dispatch.id })).toBeNull();
        expect(await claim(store)).toEqual([urgent.id]);

        expect(await store.commit(unit)).toMatchObject({
          committed: true,
          results: [{}, [{ id: dispatch.id, state: 'running', lease: { epoch: 1 } }]],
        });
      }),
    );

    test(
      'leave a workspace alone while the run of another thread lives there',
      claiming(async (store) => {
        const workspace = { path: '/one' };
        const [one, two] = [await aThread(store, { workspace }), await aThread(store, { workspace })];
        const [first, next] = [await aDispatch(store, one.id), await aDispatch(store, two.id)];
        expect(await claim(store)).toEqual([first.id]);

        const run = await aRun(store, one.id);
        await end(store, first);
        expect(await claim(store)).toEqual([]);
        const ofOwner = await aDispatch(store, one.id);
        expect(await claim(store)).toEqual([ofOwner.id]);
        await end(store, ofOwner);
        await done(store, [{ do: 'patchRun', runId: run.id, patch: { endedAt: at(3) } }]);
        expect(await claim(store)).toEqual([next.id]);
      }),
    );

    test(
      'let a parked question and worktrees of one path not block others',
      claiming(async (store) => {
        const workspace = { path: '/one' };
        const worktree = { path: '/tree', worktree: true };
        const [one, two] = [await aThread(store, { workspace }), await aThread(store, { workspace })];
        const [three, four] = [
          await aThread(store, { workspace: worktree }),
          await aThread(store, { workspace: worktree }),
        ];
        await aDispatch(store, one.id, { state: 'waiting' });
        const dispatches = [
          await aDispatch(store, two.id),
          await aDispatch(store, three.id),
          await aDispatch(store, four.id),
        ];

        expect(await claim(store)).toEqual(dispatches.map(({ id }) => id));
      }),
    );

    test(
      'never give the same dispatch twice, however many claim at the same time',
      claiming(async (store) => {
        const dispatches = [];
        for (let made = 0; made < 60; made += 1) {
          dispatches.push(await aDispatch(store, (await aThread(store)).id));
        }
        const claimed = await Promise.all(Array.from({ length: 40 }, () => claim(store, { limit: 2 })));

        expect(claimed.flat().toSorted()).toEqual(dispatches.map(({ id }) => id).toSorted());
      }),
    );
  });
}

async function inPlace(makePlace: MakePlace, body: (store: Store) => Promise<void>): Promise<void> {
  const place = await makePlace();
  const store = await place.open();
  await body(store);
  await store.close();
  await place.remove();
}

async function claim(store: Store, { limit = 100, now = 0 } = {}): Promise<string[]> {
  const [claimed] = await done(store, [{ do: 'claimDispatches', limit, now: at(now), until: at(now + 60) }]);
  return claimed.map(({ id }) => id);
}

function end(store: Store, { id }: NewDispatch) {
  return done(store, [
    { do: 'patchDispatch', dispatchId: id, patch: { state: 'ended', outcome: succeeded, endedAt: at(1) } },
  ]);
}
