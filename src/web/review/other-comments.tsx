import type { ReactNode } from 'react';
import { plainLine } from '../../domain/words/plain-text.js';
import type { ThreadId } from '../../protocol/id.js';
import type { ReviewComment } from '../../protocol/review-comment.js';
import { CommentView } from './comment-box.js';
import type { ThreadCommentsView } from './use-comments.js';

/** Comments on files that are not changed, or not any more: after a merge, for example. */
export function OtherComments({
  threadId,
  comments,
  act,
}: {
  readonly threadId: ThreadId;
  readonly comments: readonly ReviewComment[];
  readonly act: ThreadCommentsView['act'];
}): ReactNode {
  if (comments.length === 0) return null;
  return (
    <details className="other-comments">
      <summary>
        {comments.length === 1 ? '1 comment' : `${comments.length} comments`} on files that are not changed
        now
      </summary>
      <ul>
        {comments.map((comment) => (
          <li key={comment.id}>
            <code>{plainLine(comment.file)}</code>
            <CommentView threadId={threadId} comment={comment} act={act} />
          </li>
        ))}
      </ul>
    </details>
  );
}
