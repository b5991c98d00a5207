import { useCallback, useEffect, useRef, useState } from 'react';
import type { CommentClient } from '../../client/comments.js';
import { isUnsent } from '../../domain/review/comment-change.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { ThreadId } from '../../protocol/id.js';
import type { ReviewComment } from '../../protocol/review-comment.js';
import { useConsole } from '../console-context.js';

/** The comments of a thread, and what can be done to them. */
export interface ThreadCommentsView {
  readonly comments: readonly ReviewComment[];
  /** Those that go along with the next sending. */
  readonly unsent: readonly ReviewComment[];
  readonly failure: string | undefined;
  readonly isActing: boolean;
  /** Says whether it went well; what went wrong is in `failure`. */
  readonly act: (does: (client: CommentClient) => Promise<unknown>) => Promise<boolean>;
}

const lookAgainMs = 1000;

/** Reads the comments anew after each change of them, whenever the agent wrote one, and when the person comes back. */
export function useComments(threadId: ThreadId, lastSeq: number): ThreadCommentsView {
  const { client } = useConsole();
  const [comments, setComments] = useState<readonly ReviewComment[]>([]);
  const [failure, setFailure] = useState<string>();
  const [isActing, setActing] = useState(false);
  const read = useCallback(async () => {
    try {
      setComments(await client.comments.all(threadId));
    } catch (error) {
      setFailure(errorSentence(error));
    }
  }, [client, threadId]);
  useEffect(() => {
    const look = () => void read();
    look();
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, [read]);
  const lookingAgain = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a comment of the agent's comes with an event
  useEffect(() => {
    // An agent at work has many events a second.
    lookingAgain.current ??= window.setTimeout(() => {
      lookingAgain.current = undefined;
      void read();
    }, lookAgainMs);
  }, [read, lastSeq]);
  useEffect(() => () => window.clearTimeout(lookingAgain.current), []);
  const act = useCallback<ThreadCommentsView['act']>(
    async (does) => {
      setActing(true);
      setFailure(undefined);
      try {
        await does(client.comments);
        return true;
      } catch (error) {
        setFailure(errorSentence(error));
        return false;
      } finally {
        await read();
        setActing(false);
      }
    },
    [client, read],
  );
  return { comments, unsent: comments.filter(isUnsent), failure, isActing, act };
}
