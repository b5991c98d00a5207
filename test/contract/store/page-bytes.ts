import { describe, expect, test } from 'vitest';
import type { Page, PageRequest } from '../../../src/store/page.js';
import { openedStore } from './opened-store.js';
import type { MakePlace } from './place.js';
import { aDispatch, aPrompt, aRun, aThread, at, done, idle, newEvent } from './records.js';

const large = 'x'.repeat(10_000);
// One large row fits, two do not.
const mostBytes = 15_000;

/** Pages that are ended by their size: a page is never larger, unless a single row is. */
export function pageBytesContract(makePlace: MakePlace): void {
  describe('pages', () => {
    const opened = openedStore(makePlace);

    test.each<[string, (request: PageRequest) => Promise<Page<object>>, () => Promise<unknown>]>([
      [
        'threads',
        (request) => opened.store.query('threads', request),
        async () => {
          for (let made = 0; made < 4; made += 1) await aThread(opened.store, { title: large });
        },
      ],
      [
        'runs',
        (request) => opened.store.query('runs', request),
        async () => {
          const { id } = await aThread(opened.store);
          for (let made = 0; made < 4; made += 1)
            await aRun(opened.store, id, { posture: { instructions: large } });
        },
      ],
      [
        'dispatches',
        (request) => opened.store.query('dispatches', request),
        async () => {
          const { id } = await aThread(opened.store);
          const request = { text: large, thread: id };
          for (let made = 0; made < 4; made += 1) await aDispatch(opened.store, id, { request });
        },
      ],
      [
        'prompts',
        (request) => opened.store.query('prompts', request),
        async () => {
          const { id } = await aThread(opened.store);
          const action = { tool: 'Write', input: { content: large }, digest: 'd' };
          for (let made = 0; made < 4; made += 1)
            await aPrompt(opened.store, id, { kind: 'approval', action });
        },
      ],
    ])('of %s end before they are too large, in either order, and miss nothing', async (_, query, fill) => {
      await fill();
      for (const order of ['oldest_first', 'newest_first'] as const) {
        const all = await query({ order, limit: 1000 });
        const pages = await walk((part) => query({ ...part, order, mostBytes }));
        expect(pages.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
        expect(pages.flat()).toEqual(all.rows);
      }
      const [first] = await walk((part) => query({ ...part, mostBytes: 1_000_000 }));
      expect(first).toHaveLength(4);
    });

    test('of a status log end before they are too large', async () => {
      const { store } = opened;
      const { id: threadId } = await aThread(store);
      const report = { ...idle, why: large };
      for (let step = 0; step < 3; step += 1)
        await done(store, [{ do: 'appendStatus', threadId, report, at: at(step) }]);
      const pages = await walk((part) => store.query('statusLog', { threadId, mostBytes, ...part }));
      expect(pages.map(({ length }) => length)).toEqual([1, 1, 1]);
    });

    test.each([
      ['small ones fill a page', [10, 10, 10, 10, 10], 5],
      ['a large one begins the next page', [10, 10, 20_000, 10], 2],
      ['a large one has a page of its own', [20_000, 10, 10], 1],
      [
        'many are counted to the first that is too much',
        [...Array.from({ length: 40 }, () => 10), 20_000],
        40,
      ],
      ['as many as fit', [7000, 7000, 7000], 2],
    ])('of events: %s', async (_, sizes, expected) => {
      const { store } = opened;
      const { id: threadId } = await aThread(store);
      const run = await aRun(store, threadId);
      const events = sizes.map((size, index) => newEvent(index + 1, 'é'.repeat(size / 2)));
      await done(store, [{ do: 'appendEvents', threadId, runId: run.id, events }]);
      const page = await store.query('events', { threadId, limit: 1000, mostBytes });
      expect(page.map(({ seq }) => seq)).toEqual(
        Array.from({ length: expected }, (_each, index) => index + 1),
      );
      expect(await store.query('events', { threadId, limit: 1000 })).toHaveLength(sizes.length);
    });
  });
}

async function walk(read: (part: PageRequest) => Promise<Page<object>>): Promise<object[][]> {
  const pages: object[][] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor === undefined ? {} : { cursor });
    pages.push([...page.rows]);
    cursor = page.next;
  } while (cursor !== undefined);
  return pages;
}
