import { describe, expect, test } from 'vitest';
import type { InputOf, ThreadFilter } from '../../../src/store/query.js';
import type { Store } from '../../../src/store/store.js';
import { openedStore } from './opened-store.js';
import type { MakePlace } from './place.js';
import { aDispatch, aThread, at, done, id, newThread, refused, succeeded } from './records.js';

/** Threads: named, and found by name, by parts of their ids, and by what they are about. */
export function threadFiltersContract(makePlace: MakePlace): void {
  describe('threads', () => {
    const opened = openedStore(makePlace);

    test('have names that no other has, in large and small letters', async () => {
      const { store } = opened;
      const one = await aThread(store, { name: 'fix-login' });
      const other = await aThread(store);
      const taken = {
        because: 'condition',
        operation: 0,
        current: { thread: expect.objectContaining({ id: one.id }) },
      };
      const rename = (threadId: typeof one.id, name: string | null) =>
        ({ do: 'patchThread', threadId, patch: { name } }) as const;

      expect(
        await refused(store, {
          operations: [{ do: 'insertThread', thread: newThread({ name: 'Fix-Login' }) }],
        }),
      ).toEqual(taken);
      expect(await refused(store, { operations: [rename(other.id, 'FIX-LOGIN')] })).toEqual(taken);
      expect(await found(store, { name: 'FIX-login' })).toEqual([one.id]);

      await done(store, [rename(one.id, 'Fix-Login')]);
      expect((await store.query('thread', { id: one.id }))?.name).toBe('Fix-Login');
      await done(store, [rename(one.id, null), rename(other.id, 'fix-login')]);
      expect((await store.query('thread', { id: one.id }))?.name).toBeUndefined();
      expect(await found(store, { name: 'fix-login' })).toEqual([other.id]);
    });

    test('are found by the beginning and the end of an id', async () => {
      const { store } = opened;
      const { id } = await aThread(store);
      expect(await found(store, { idPrefix: id.slice(0, -1), idSuffix: id.slice(-3) })).toEqual([id]);
      expect(await found(store, { idPrefix: id, idSuffix: '!' })).toEqual([]);
      const dispatch = await aDispatch(store, id);
      const page = await store.query('dispatches', { threadId: id, idSuffix: dispatch.id.slice(-26) });
      expect(page.rows.map((row) => row.id)).toEqual([dispatch.id]);
    });

    test('are filtered by runtime, folder, labels and how their newest work stands', async () => {
      const { store } = opened;
      const here = await aThread(store, { runtime: 'exec', workspace: { path: '/filter/here' } });
      const below = await aThread(store, { runtime: 'codex', workspace: { path: '/filter/here/below' } });
      const beside = await aThread(store, { runtime: 'exec', workspace: { path: '/filter/hereafter' } });
      const worktree = await aThread(store, { workspace: { path: '/home/worktrees/x', worktree: true } });
      const settled = { how: 'merge', into: 'main', dispatchId: id('dispatch') } as const;
      await done(store, [
        { do: 'patchThread', threadId: worktree.id, patch: { origin: { top: '/filter/here', settled } } },
      ]);
      expect(await store.query('thread', { id: worktree.id })).toMatchObject({ settled });
      await aDispatch(store, here.id, { labels: { sprint: '12', '"odd.key"': "it's" } });
      await aDispatch(store, here.id, { state: 'waiting' });
      const over = { state: 'ended', outcome: succeeded, endedAt: at(9) } as const;
      await aDispatch(store, below.id, { ...over, labels: { sprint: '13' } });
      const among = (filter: ThreadFilter) => found(store, { workspace: '/filter', ...filter });

      expect(await found(store, { workspace: '/filter/here/' })).toEqual([here.id, below.id, worktree.id]);
      expect(await among({ runtime: 'exec' })).toEqual([here.id, beside.id]);
      expect(await among({ state: 'waiting' })).toEqual([here.id]);
      expect(await among({ state: 'ended' })).toEqual([below.id]);
      expect(await among({ result: 'succeeded' })).toEqual([below.id]);
      expect(await among({ result: 'failed' })).toEqual([]);
      expect(await among({ labels: [{ key: 'sprint' }] })).toEqual([here.id, below.id]);
      expect(await among({ labels: [{ key: 'sprint', value: '12' }] })).toEqual([here.id]);
      expect(
        await among({
          labels: [
            { key: 'sprint', value: '12' },
            { key: '"odd.key"', value: "it's" },
          ],
        }),
      ).toEqual([here.id]);
      const labelled = await store.query('dispatches', { labels: [{ key: 'sprint' }], result: 'succeeded' });
      expect(labelled.rows.map(({ threadId }) => threadId)).toEqual([below.id]);
    });

    test('have work that is found by the work that asked for it, and by who gave it since when', async () => {
      const { store } = opened;
      const thread = await aThread(store);
      const actor = `user:${thread.id}`;
      const parent = await aDispatch(store, thread.id, { actor, createdAt: at(1) });
      const child = await aDispatch(store, thread.id, { actor, createdAt: at(2), parent: parent.id });
      await aDispatch(store, thread.id, { createdAt: at(3) });
      const ids = async (query: InputOf<'dispatches'>) =>
        (await store.query('dispatches', query)).rows.map((row) => row.id);
      expect(await ids({ parent: parent.id })).toEqual([child.id]);
      expect(await ids({ parent: child.id })).toEqual([]);
      expect(await ids({ by: { actor, since: '' } })).toEqual([parent.id, child.id]);
      expect(await ids({ by: { actor, since: at(2) } })).toEqual([child.id]);
      expect(await ids({ by: { actor: `${actor}x`, since: '' } })).toEqual([]);
    });
  });
}

async function found(store: Store, filter: ThreadFilter): Promise<string[]> {
  return (await store.query('threads', filter)).rows.map(({ id }) => id);
}
