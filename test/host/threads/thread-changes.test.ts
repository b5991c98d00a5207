import { expect, test } from 'vitest';
import { ThreadChanges } from '../../../src/host/threads/thread-changes.js';
import { aThread } from '../../contract/store/records.js';
import { sqlitePlace } from '../../store/sqlite/place.js';

const clock = { now: Date.now, monotonic: () => performance.now() };

test('whoever waits for a state gets that state, also when the thread has moved on since', async () => {
  const place = await sqlitePlace();
  const store = await place.open();
  try {
    const { id } = await aThread(store);
    const changes = new ThreadChanges(store, clock);
    const first = changes.until(id, ({ thread }) => thread.lastSeq === 1, new AbortController().signal);
    const notice = { type: 'notice', message: 'Something happened.' } as const;
    await Promise.all([changes.append(id, [notice]), changes.append(id, [notice])]);
    expect((await changes.state(id)).thread.lastSeq).toBe(2);
    expect((await first).thread.lastSeq).toBe(1);
  } finally {
    await store.close();
    await place.remove();
  }
});
