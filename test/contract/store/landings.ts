import { describe, expect, test } from 'vitest';
import type { StoredLanding } from '../../../src/store/stored-landing.js';
import type { MakePlace } from './place.js';
import { aThread, done, id } from './records.js';

/** How work became its user's: what is begun is found again after reopening. */
export function landingsContract(makePlace: MakePlace): void {
  describe('a landing', () => {
    test('is kept, replaced by what became of it, and found by thread and state, newest first', async () => {
      const place = await makePlace();
      const store = await place.open();
      const [mine, other] = [await aThread(store), await aThread(store)];
      const landing = (name: string, threadId: typeof mine.id): StoredLanding => ({
        id: name,
        threadId,
        kind: 'merge',
        state: 'begun',
        sentence: 'It begins.',
        actor: 'user:owner',
        createdAt: '2026-01-02T03:04:05.000Z',
        plan: { gitDir: '/r/.git', target: { ref: 'refs/heads/main', from: 'a', to: 'b' } },
      });
      const [one, two, three] = [landing('1', mine.id), landing('2', mine.id), landing('3', other.id)];
      await done(
        store,
        [one, two, three].map((each) => ({ do: 'putLanding', landing: each })),
      );
      const ended: StoredLanding = { ...one, state: 'done', sentence: 'Merged.', commit: 'b' };
      await done(store, [{ do: 'putLanding', landing: ended }]);
      await store.close();

      const again = await place.open();
      expect(await again.query('landings', { threadId: mine.id })).toEqual([two, ended]);
      expect(await again.query('landings', { state: 'begun' })).toEqual([three, two]);
      expect(await again.query('landings', { limit: 1 })).toEqual([three]);
      expect(
        await again.commit({ operations: [{ do: 'putLanding', landing: landing('4', id('thread')) }] }),
      ).toEqual({ committed: false, refusal: { because: 'missing', operation: 0 } });
      await again.close();
      await place.remove();
    });
  });
}
