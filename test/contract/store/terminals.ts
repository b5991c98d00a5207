import { describe, expect, test } from 'vitest';
import type { MakePlace } from './place.js';
import { aDispatch, aRun, aThread, at, done, refused } from './records.js';

const identity = { pid: 7, startTime: '1', bootId: 'b' };
const terminal = {
  openedBy: 'user:o',
  openedAt: at(1),
  sessionId: 's',
  sessions: ['s'],
  keeper: identity,
};

/** Threads in terminals: one at a time, and nothing is started in them. */
export function terminalsContract(makePlace: MakePlace): void {
  describe('a thread in a terminal', () => {
    test('is kept with what is known of it, until it is taken back', async () => {
      const place = await makePlace();
      const store = await place.open();
      const { id: threadId } = await aThread(store);
      await done(store, [{ do: 'openTerminal', threadId, terminal }]);
      const program = { ...terminal, program: identity, mark: '12' };
      await done(store, [{ do: 'patchThread', threadId, patch: { terminal: program } }]);
      expect((await store.query('threads', { inTerminal: true })).rows).toMatchObject([
        { id: threadId, terminal: program },
      ]);
      await done(store, [
        { do: 'patchThread', threadId, patch: { terminal: null, session: { id: 'next', at: at(2) } } },
      ]);
      expect(await store.query('threads', { inTerminal: true })).toEqual({ rows: [] });
      expect(await store.query('thread', { id: threadId })).toMatchObject({
        session: { id: 'next', at: at(2) },
      });
      await store.close();
      await place.remove();
    });

    test('is not given away twice, and neither archived nor removed', async () => {
      const place = await makePlace();
      const store = await place.open();
      const { id: threadId } = await aThread(store);
      await done(store, [{ do: 'openTerminal', threadId, terminal }]);
      const because = { because: 'condition', current: { thread: { id: threadId } } };
      expect(
        await refused(store, { operations: [{ do: 'openTerminal', threadId, terminal }] }),
      ).toMatchObject(because);
      expect(
        await refused(store, { operations: [{ do: 'archiveThread', threadId, at: at(2) }] }),
      ).toMatchObject(because);
      expect(await refused(store, { operations: [{ do: 'removeThread', threadId }] })).toMatchObject(because);
      await store.close();
      await place.remove();
    });

    test('is refused while work is under way, in the thread or beside it in its folder', async () => {
      const place = await makePlace();
      const store = await place.open();
      const [one, other] = [await aThread(store), await aThread(store)];
      await done(store, [{ do: 'patchThread', threadId: other.id, patch: { workspace: one.workspace } }]);
      const waiting = await aDispatch(store, one.id, { state: 'waiting' });
      const open = { do: 'openTerminal', threadId: one.id, terminal } as const;
      expect(await refused(store, { operations: [open] })).toMatchObject({
        current: { dispatch: { id: waiting.id } },
      });
      await done(store, [{ do: 'patchDispatch', dispatchId: waiting.id, patch: { state: 'ended' } }]);
      const beside = await aDispatch(store, other.id, { state: 'running' });
      expect(await refused(store, { operations: [open] })).toMatchObject({
        current: { dispatch: { id: beside.id } },
      });
      await done(store, [{ do: 'patchDispatch', dispatchId: beside.id, patch: { state: 'ended' } }, open]);
      await store.close();
      await place.remove();
    });

    test('gets no work, and neither does its folder', async () => {
      const place = await makePlace();
      const store = await place.open();
      const [one, other] = [await aThread(store), await aThread(store)];
      await done(store, [
        { do: 'patchThread', threadId: other.id, patch: { workspace: one.workspace } },
        { do: 'openTerminal', threadId: one.id, terminal },
      ]);
      await aDispatch(store, one.id);
      await aDispatch(store, other.id);
      const claim = { do: 'claimDispatches', limit: 9, now: at(2), until: at(60) } as const;
      expect(await done(store, [claim])).toEqual([[]]);
      await done(store, [{ do: 'patchThread', threadId: one.id, patch: { terminal: null } }]);
      expect(await done(store, [claim])).toMatchObject([[{ threadId: one.id }]]);
      await store.close();
      await place.remove();
    });

    test('whose session it is can be told', async () => {
      const place = await makePlace();
      const store = await place.open();
      const thread = await aThread(store);
      await aRun(store, thread.id, { sessionId: 'of a run' });
      await done(store, [
        { do: 'patchThread', threadId: thread.id, patch: { session: { id: 'of a terminal', at: at(1) } } },
      ]);
      const ask = async (runtime: string) =>
        await store.query('sessionOwners', {
          runtime,
          sessionIds: ['of a run', 'of nobody', 'of a terminal'],
        });
      expect(await ask(thread.runtime)).toEqual([
        { sessionId: 'of a run', threadId: thread.id },
        { sessionId: 'of a terminal', threadId: thread.id },
      ]);
      expect(await ask('another')).toEqual([]);
      await store.close();
      await place.remove();
    });
  });
}
