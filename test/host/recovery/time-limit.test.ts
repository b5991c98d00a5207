import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { done, id, at as instantAt } from '../../contract/store/records.js';
import { openHostStage } from '../host-stage.js';

const program = new URL('../../../dist/store/sqlite/store-thread.js', import.meta.url);

test('the time limit of a try counts on over a restart of the worker', { tags: ['full'] }, async () => {
  const at = await openHostStage();
  const dispatch = await at.work('[[hang]]', { timeoutSeconds: 3600, retries: 0 });
  await at.status(dispatch.threadId, 'busy');
  const spent = async () =>
    (await at.store.query('dispatch', { id: dispatch.id }))?.attempts[0]?.activeMs ?? 0;

  await at.leave();
  await at.open();
  const before = await spent();
  expect(before).toBeGreaterThan(0);

  // As if it had worked for all but a moment of its hour.
  await at.leave();
  const store = await SqliteStore.open({
    file: join(at.home, 'store.db'),
    worker: { id: id('worker'), name: 'clock', startedAt: instantAt(0) },
    program,
  });
  await done(store, [{ do: 'setActiveTime', dispatchId: dispatch.id, attempt: 1, activeMs: 3_599_900 }]);
  await store.close();
  await at.open();

  expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'failed', reason: 'timeout' });
  expect(await spent()).toBeGreaterThanOrEqual(3_600_000);
});
