import { describe, expect, test } from 'vitest';
import type { ReviewComment } from '../../../src/protocol/review-comment.js';
import type { MakePlace } from './place.js';
import { aThread, at, done, id } from './records.js';

/** What was said about lines: kept with its thread, once, and found by state and file. */
export function reviewCommentsContract(makePlace: MakePlace): void {
  describe('a review comment', () => {
    test('is kept, replaced and removed, and is there after reopening', async () => {
      const place = await makePlace();
      const store = await place.open();
      const [mine, other] = [await aThread(store), await aThread(store)];
      const one = comment(1, mine.id);
      const two = comment(2, mine.id, { file: 'b.ts' });
      const three = comment(3, mine.id);
      const elsewhere = comment(1, other.id);
      for (const each of [one, two, three, elsewhere])
        expect(await done(store, [{ do: 'addComment', comment: each, most: 10 }])).toEqual([{ changed: 1 }]);
      const resolved: ReviewComment = { ...one, state: 'resolved', resolvedAt: at(9), resolvedBy: 'user:a' };
      await done(store, [{ do: 'replaceComment', comment: resolved }]);
      await done(store, [{ do: 'removeComment', threadId: mine.id, id: three.id }]);
      await store.close();

      const again = await place.open();
      const threadId = mine.id;
      expect(await again.query('comments', { threadId })).toEqual({ rows: [resolved, two] });
      expect(await again.query('comments', { threadId, state: 'open' })).toEqual({ rows: [two] });
      expect(await again.query('comments', { threadId, file: one.file })).toEqual({ rows: [resolved] });
      expect(await again.query('comments', { threadId: other.id })).toEqual({ rows: [elsewhere] });
      expect(await again.query('comment', { threadId, id: two.id })).toEqual(two);
      expect(await again.query('comment', { threadId, id: three.id })).toBeNull();
      const newest = await again.query('comments', { threadId, limit: 1, order: 'newest_first' });
      expect(newest).toMatchObject({ rows: [two], next: expect.any(String) });
      await again.close();
      await place.remove();
    });

    test('is not replaced by another one with its id, and a thread takes only so many', async () => {
      const place = await makePlace();
      const store = await place.open();
      const { id: threadId } = await aThread(store);
      const first = comment(1, threadId);
      await done(store, [{ do: 'addComment', comment: first, most: 2 }]);
      const forged = comment(1, threadId, { author: 'agent', body: 'Looks good.' });
      expect(await done(store, [{ do: 'addComment', comment: forged, most: 2 }])).toEqual([{ changed: 0 }]);
      expect(await store.query('comment', { threadId, id: first.id })).toEqual(first);
      await done(store, [{ do: 'addComment', comment: comment(2, threadId), most: 2 }]);
      expect(await done(store, [{ do: 'addComment', comment: comment(3, threadId), most: 2 }])).toEqual([
        { changed: 0 },
      ]);
      expect((await store.query('comments', { threadId })).rows).toHaveLength(2);
      await store.close();
      await place.remove();
    });

    test('of a thread, or of an id, that does not exist is refused', async () => {
      const place = await makePlace();
      const store = await place.open();
      const { id: threadId } = await aThread(store);
      const missing = { committed: false, refusal: { because: 'missing', operation: 0 } };
      expect(
        await store.commit({
          operations: [{ do: 'addComment', comment: comment(1, id('thread')), most: 2 }],
        }),
      ).toEqual(missing);
      expect(
        await store.commit({ operations: [{ do: 'replaceComment', comment: comment(1, threadId) }] }),
      ).toEqual(missing);
      await store.close();
      await place.remove();
    });
  });
}

function comment(
  number: number,
  threadId: ReviewComment['threadId'],
  given: Partial<ReviewComment> = {},
): ReviewComment {
  return {
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    threadId,
    file: 'src/a.ts',
    line: 3,
    side: 'new',
    body: 'Why?',
    author: 'user:owner',
    state: 'open',
    createdAt: at(number),
    ...given,
  };
}
