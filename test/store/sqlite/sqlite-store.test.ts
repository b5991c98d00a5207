import { expect, test } from 'vitest';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { aThread, at, done, id } from '../../contract/store/records.js';
import { sqlitePlace } from './place.js';

const note = { type: 'note', timestamp: at(0), json: '{"type":"note"}' };

test('units that come together are synced together', async () => {
  const place = await sqlitePlace();
  const store = await place.open();
  const thread = await aThread(store);
  const before = await store.statistics();
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      for (let count = 0; count < 50; count += 1) {
        await done(store, [{ do: 'appendEvents', threadId: thread.id, events: [note] }]);
      }
    }),
  );
  const after = await store.statistics();

  expect(after.units - before.units).toBe(500);
  expect(after.commits - before.commits).toBeLessThanOrEqual(250);
  expect((await store.query('thread', { id: thread.id }))?.lastSeq).toBe(500);
  await store.close();
  await place.remove();
});

test('a unit alone is synced alone, before it is acknowledged', async () => {
  const place = await sqlitePlace();
  const store = await place.open();
  const before = await store.statistics();
  await aThread(store);
  await aThread(store);
  const after = await store.statistics();

  expect([after.units - before.units, after.commits - before.commits]).toEqual([2, 2]);
  await store.close();
  await place.remove();
});

test('the death of the thread rejects everything outstanding, and what comes after', async () => {
  const store = await SqliteStore.open({
    file: '/nowhere/handraise.db',
    worker: { id: id('worker'), name: 'here', startedAt: at(0) },
    program: new URL('./fixtures/dying-thread.js', import.meta.url),
  });
  const subscription = store.subscribe();
  const asked = [store.query('threads', {}), store.commit({ operations: [] }), store.statistics()];
  const died = {
    name: 'Failure',
    code: 'internal',
    message:
      'The thread that writes /nowhere/handraise.db died (out of luck). Start the worker again; what was acknowledged is kept.',
  };

  for (const each of await Promise.allSettled(asked)) expect(each).toMatchObject({ reason: died });
  await expect(store.query('threads', {})).rejects.toMatchObject(died);
  expect(await subscription.next()).toEqual({ done: true, value: undefined });
  await store.close();
});

test.each([false, true])(
  'without its optional part it says what to install (found out before it was asked: %s)',
  async (isEarly) => {
    const worker = { id: id('worker'), name: 'here', startedAt: at(0) };
    const program = new URL('./fixtures/bare-thread.js', import.meta.url);
    const thread = SqliteStore.startThread(program);
    if (isEarly) await new Promise((exited) => thread.once('exit', exited));
    await expect(SqliteStore.open({ file: '/nowhere/handraise.db', worker, thread })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(
        'npm puts it into @libsql/of-no-platform, an optional dependency of Handraise, and it is not there.',
      ),
    });
  },
);

test('a thread that cannot start is a failure', async () => {
  const worker = { id: id('worker'), name: 'here', startedAt: at(0) };
  const program = new URL('./fixtures/no-such-thread.js', import.meta.url);

  await expect(SqliteStore.open({ file: '/nowhere/handraise.db', worker, program })).rejects.toMatchObject({
    name: 'Failure',
    code: 'internal',
  });
});
