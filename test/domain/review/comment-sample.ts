import { ThreadId } from '../../../src/protocol/id.js';
import type { ReviewComment } from '../../../src/protocol/review-comment.js';

/** A comment of the owner's, not sent yet. */
export function aComment(given: Partial<ReviewComment> = {}): ReviewComment {
  return {
    id: '0b1f6a52-9f5b-4b64-8f0e-0a7c2e1d3c4b',
    threadId: ThreadId.parse(`thr_${'0'.repeat(26)}`),
    file: 'src/price.ts',
    line: 18,
    side: 'new',
    body: 'Why?',
    author: 'user:owner',
    state: 'open',
    createdAt: '2026-01-02T03:04:05.000Z',
    ...given,
  };
}
