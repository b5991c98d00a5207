import { describe, expect, test } from 'vitest';
import type { MakePlace } from './place.js';
import { aThread, done, id, newEvent } from './records.js';

/** What tools said: kept beside the events, in the same unit, and there after reopening. */
export function toolOutputsContract(makePlace: MakePlace): void {
  describe('the output of a tool', () => {
    test('is kept with the events of its unit, whatever it is made of, and read in parts', async () => {
      const place = await makePlace();
      const store = await place.open();
      const thread = await aThread(store);
      const text = `line\n\u0000\u001b[2J😀\ud800${'x'.repeat(2000)}`;
      const put = { do: 'putToolOutput', threadId: thread.id, toolUseId: 'toolu_1/../x', text } as const;
      await done(store, [{ do: 'appendEvents', threadId: thread.id, events: [newEvent(1)] }, put]);
      await store.close();

      const again = await place.open();
      const asked = { threadId: thread.id, toolUseId: 'toolu_1/../x' };
      expect(await again.query('toolOutput', { ...asked, after: 0, limit: 5000 })).toEqual({
        text,
        length: text.length,
      });
      expect(await again.query('toolOutput', { ...asked, after: 5, limit: 3 })).toEqual({
        text: text.slice(5, 8),
        length: text.length,
        next: 8,
      });
      await again.close();
      await place.remove();
    });

    test('belongs to its thread, is replaced by a later call of the same id, and needs a thread', async () => {
      const place = await makePlace();
      const store = await place.open();
      const [mine, other] = [await aThread(store), await aThread(store)];
      const put = (threadId: typeof mine.id, text: string) =>
        ({ do: 'putToolOutput', threadId, toolUseId: 't', text }) as const;
      await done(store, [put(mine.id, 'first'), put(mine.id, 'second')]);
      const asked = { toolUseId: 't', after: 0, limit: 100 };
      expect(await store.query('toolOutput', { ...asked, threadId: mine.id })).toEqual({
        text: 'second',
        length: 6,
      });
      expect(await store.query('toolOutput', { ...asked, threadId: other.id })).toBeNull();
      expect(await store.commit({ operations: [put(id('thread'), 'x')] })).toEqual({
        committed: false,
        refusal: { because: 'missing', operation: 0 },
      });
      await store.close();
      await place.remove();
    });
  });
}
