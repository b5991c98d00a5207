import type { EventBody } from '../../protocol/event.js';
import type { ThreadId } from '../../protocol/id.js';
import { ReviewComment } from '../../protocol/review-comment.js';

/** The comment that an agent's report amounts to; null for one that no thread would take from anybody. */
export function agentComment(
  { type: _type, ...said }: EventBody<'review_comment_added'>,
  { threadId, at }: { readonly threadId: ThreadId; readonly at: string },
): ReviewComment | null {
  const comment = { ...said, threadId, side: 'new', author: 'agent', state: 'open', createdAt: at };
  return ReviewComment.safeParse(comment).data ?? null;
}
