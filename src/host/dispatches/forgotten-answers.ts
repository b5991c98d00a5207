import type { ThreadPrompt } from '../../domain/prompts/thread-prompt.js';
import { isToldToNewSession } from '../../domain/prompts/told-again.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Store } from '../../store/store.js';
import { promptChange, promptsIn } from '../prompts/thread-prompts.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import type { LeasedDispatch } from './leased-dispatch.js';

export interface ForgottenAnswersParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
}

/**
 * A try that begins in a new session knows nothing of what people answered in the tries before. Their answers count as
 * unused again: the new session is told them with the work, and when it asks the same, nobody is asked a second time.
 */
export async function tellForgottenAnswers(
  leased: LeasedDispatch,
  { store, changes }: ForgottenAnswersParts,
): Promise<boolean> {
  const { threadId, attempts } = leased.row;
  const since = attempts[0]?.startedAt;
  if (since === undefined) return false;
  const forgotten = (await answeredSince(store, threadId, since)).filter(isToldToNewSession);
  if (forgotten.length === 0) return false;
  await changes.commit(threadId, (state) => {
    const prompts = promptsIn(state);
    prompts.tellAgain(forgotten);
    return { ...promptChange(state, prompts, undefined), lease: leased.lease };
  });
  return true;
}

async function answeredSince(store: Store, threadId: ThreadId, since: string): Promise<ThreadPrompt[]> {
  const found: ThreadPrompt[] = [];
  let cursor: string | undefined;
  do {
    const page = { threadId, state: 'answered', order: 'newest_first', ...(cursor && { cursor }) } as const;
    const { rows, next } = await store.query('prompts', page);
    const recent = rows.filter(({ createdAt }) => createdAt >= since);
    found.push(...recent);
    cursor = recent.length === rows.length ? next : undefined;
  } while (cursor !== undefined);
  return found;
}
