import { expect, it } from 'vitest';
import { WorkerDirectory } from '../../../src/host/workers/worker-directory.js';
import { WorkerWatch } from '../../../src/host/workers/worker-watch.js';
import { done, newDispatch, newPrompt, newThread } from '../../contract/store/records.js';
import { sqlitePlace } from '../../store/sqlite/place.js';

it('a worker is ready while its store answers and it does not drain, and tells how much waits', async () => {
  const place = await sqlitePlace();
  const store = await place.open();
  const clock = { now: Date.now, monotonic: () => performance.now() };
  const workers = new WorkerDirectory({ store, clock, leases: { beat: async () => {} } });
  const leases = { isDraining: false };
  const watch = new WorkerWatch({ store, workers, leases });
  const thread = newThread();
  const prompt = newPrompt(thread.id);
  await done(store, [
    { do: 'insertThread', thread },
    { do: 'insertDispatch', dispatch: newDispatch(thread.id) },
    { do: 'openPrompt', prompt },
    { do: 'putOutbox', entry: { id: 'a', kind: 'notify ops', payload: {}, dueAt: prompt.createdAt } },
  ]);

  expect(await watch.whyUnready()).toBe(null);
  expect(await watch.look()).toMatchObject({
    dispatches: { queued: 1, running: 0, waiting: 0 },
    openPrompts: 1,
    oldestPromptAt: prompt.createdAt,
    unsent: 1,
    self: store.worker.id,
    workers: [{ id: store.worker.id }],
  });
  leases.isDraining = true;
  expect(await watch.whyUnready()).toBe('draining');
  leases.isDraining = false;
  await store.close();
  expect(await watch.whyUnready()).toBe('store');
  await place.remove();
});
