// @module-tag full
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ThreadActivity } from '../../../src/host/threads/thread-activity.js';
import { ThreadReader } from '../../../src/host/threads/thread-reader.js';
import type { ThreadId } from '../../../src/protocol/id.js';
import { largestPageBytes } from '../../../src/store/page.js';
import type { Store } from '../../../src/store/store.js';
import { aRun, aThread, done, newEvent } from '../../contract/store/records.js';
import { type SqlitePlace, sqlitePlace } from '../../store/sqlite/place.js';

let place: SqlitePlace;
let store: Store;
let threadId: ThreadId;
beforeEach(async () => {
  place = await sqlitePlace();
  store = await place.open();
  threadId = (await aThread(store)).id;
});
afterEach(async () => {
  await store.close();
  await place.remove();
});

const reader = () => new ThreadReader(store, new ThreadActivity());

async function fill(
  sizes: readonly number[],
  type: 'assistant_text' | 'notice' = 'assistant_text',
): Promise<void> {
  const run = await aRun(store, threadId);
  const events = sizes.map((size, index) => {
    const { timestamp } = newEvent(index + 1);
    const field = type === 'notice' ? 'message' : 'content';
    const json = JSON.stringify({ type, timestamp, [field]: 'x'.repeat(size) });
    return { type, timestamp, runSeq: index + 1, json };
  });
  await done(store, [{ do: 'appendEvents', threadId, runId: run.id, events }]);
}

it('a part of the events that was ended by its size says where the next one begins', async () => {
  await fill([largestPageBytes, 10, 10, largestPageBytes, 10]);
  const parts: number[][] = [];
  let after: number | undefined = 0;
  while (after !== undefined) {
    const part: Awaited<ReturnType<ThreadReader['events']>> = await reader().events(threadId, { after });
    parts.push(part.events.map(({ seq }) => seq));
    after = part.next;
  }
  expect(parts).toEqual([[1], [2, 3], [4], [5]]);
});

it('a part of the items is ended by its size, too, has at least one, and misses none', async () => {
  await fill([largestPageBytes, 10, 10, largestPageBytes, 10], 'notice');
  expect(await partsOfItems()).toEqual([[1], [2, 3], [4], [5]]);
});

it('text that goes on without end is cut where no memory should have to hold more', async () => {
  await fill(Array.from({ length: 20 }, () => 2_000_000));
  expect(await partsOfItems()).toEqual([[1], [18]]);
});

async function partsOfItems(): Promise<number[][]> {
  const parts: number[][] = [];
  let after: number | undefined = 0;
  while (after !== undefined) {
    const part: Awaited<ReturnType<ThreadReader['items']>> = await reader().items(threadId, { after });
    parts.push(part.items.map(({ seq }) => seq));
    after = part.next;
  }
  return parts;
}
