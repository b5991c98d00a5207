import { describe, expect, test } from 'vitest';
import type { ThreadId } from '../../../src/protocol/id.js';
import type { Store } from '../../../src/store/store.js';
import { openedStore } from './opened-store.js';
import type { MakePlace } from './place.js';
import { aThread, at, done, newThread, refused } from './records.js';

/** Searching: whatever is committed is found by its words, and nothing else is. */
export function searchContract(makePlace: MakePlace): void {
  describe('searching', () => {
    const opened = openedStore(makePlace);

    test('finds threads by what was said in them, by the beginning of words and without accents', async () => {
      const { store } = opened;
      const one = await aThread(store, { title: 'Repair the pergola' });
      const two = await aThread(store, { title: 'Another one' });
      await say(store, one.id, 'user_message', { text: 'The quincunx is broken' });
      await say(store, one.id, 'assistant_text', { content: 'I look at the café in src/quincunx.ts.' });
      await say(store, two.id, 'tool_start', {
        id: 't',
        tool: 'Bash',
        params: { command: 'ls quincunx-two' },
      });

      expect(await found(store, 'QUINCUNX')).toEqual([one.id, two.id]);
      expect(await found(store, 'quinc cafe')).toEqual([one.id]);
      expect(await found(store, 'src/quincunx.ts')).toEqual([one.id]);
      expect(await found(store, 'pergol')).toEqual([one.id]);
      expect(await found(store, 'quincunx nowhere')).toEqual([]);
      const threadIds = [one.id, two.id];
      expect(await store.query('searchHits', { search: 'quincunx', threadIds })).toEqual([
        { threadId: one.id, seq: 2 },
        { threadId: two.id, seq: 1 },
      ]);
      expect(await store.query('searchHits', { search: 'pergola', threadIds })).toEqual([
        { threadId: one.id, seq: 0 },
      ]);
    });

    test('finds a name as long as it is the name, and nothing of a unit that was refused', async () => {
      const { store } = opened;
      const thread = await aThread(store, { name: 'zephyrous' });
      await done(store, [{ do: 'patchThread', threadId: thread.id, patch: { name: 'halcyon' } }]);
      const lost = newThread({ title: 'zephyrous again' });
      await refused(store, {
        operations: [
          { do: 'insertThread', thread: lost },
          { do: 'insertThread', thread: newThread({ name: 'HALCYON' }) },
        ],
      });

      expect([await found(store, 'zephyrous'), await found(store, 'halcyon')]).toEqual([[], [thread.id]]);
    });

    test.each([
      '"',
      "' or 1",
      '"unclosed',
      'a AND',
      'NEAR(',
      '* ^ a',
      'col:a',
      '-a',
      'a\0b',
      '(a',
      '😀a',
      '\ud800a',
      'NOT a',
    ])('takes %j as words, never as a query', async (search) => {
      const result = opened.store.query('threads', { search });
      await expect(result.catch((error: { code: string }) => error.code)).resolves.toEqual(
        /[a-z0-9]/i.test(search) ? { rows: expect.any(Array) } : 'invalid',
      );
    });
  });
}

async function say(store: Store, threadId: ThreadId, type: string, fields: object): Promise<void> {
  const json = JSON.stringify({ type, timestamp: at(1), ...fields });
  await done(store, [{ do: 'appendEvents', threadId, events: [{ type, timestamp: at(1), json }] }]);
}

async function found(store: Store, search: string): Promise<string[]> {
  return (await store.query('threads', { search })).rows.map(({ id }) => id);
}
