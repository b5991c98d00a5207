import { wasAskedIn } from '../../domain/dispatch/dispatch-progress.js';
import type { Forgotten } from '../../domain/dispatch/session-of-try.js';
import type { ThreadPrompt } from '../../domain/prompts/thread-prompt.js';
import { isToldToNewSession } from '../../domain/prompts/told-again.js';
import type { RunId } from '../../protocol/id.js';
import type { Store } from '../../store/store.js';
import type { StoredDispatch } from '../../store/stored-dispatch.js';
import { promptChange, promptsIn } from '../prompts/thread-prompts.js';
import type { RunSupervisor } from '../runs/run-supervisor.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import type { LeasedDispatch } from './leased-dispatch.js';

export interface ForgottenAnswersParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly supervisor: Pick<RunSupervisor, 'end'>;
}

/**
 * An agent that begins anew knows nothing of what people answered to the ones before it. Their answers count as unused
 * again: the new one is told them with the work, and when it asks the same, nobody is asked a second time.
 */
export async function tellForgottenAnswers(
  leased: LeasedDispatch,
  { store, changes, supervisor }: ForgottenAnswersParts,
  { forgotten, run }: { readonly forgotten: Forgotten; readonly run: RunId | undefined },
): Promise<boolean> {
  const { threadId } = leased.row;
  if (forgotten === 'nothing') return false;
  const answers = (await answeredIn(leased.row, store)).filter(isToldToNewSession);
  if (answers.length === 0) return false;
  // A runner takes the same message only once, and a session that lives is no new one.
  if (run !== undefined) await supervisor.end(run, 'to start it afresh');
  await changes.commit(threadId, (state) => {
    const prompts = promptsIn(state);
    prompts.tellAgain(forgotten === 'everything' ? answers : answers.slice(0, 1));
    return { ...promptChange(state, prompts, undefined), lease: leased.lease };
  });
  return true;
}

async function answeredIn(dispatch: StoredDispatch, store: Store): Promise<ThreadPrompt[]> {
  const { threadId } = dispatch;
  const found: ThreadPrompt[] = [];
  let cursor: string | undefined;
  do {
    const page = { threadId, state: 'answered', order: 'newest_first', ...(cursor && { cursor }) } as const;
    const { rows, next } = await store.query('prompts', page);
    const own = rows.filter((prompt) => wasAskedIn(dispatch, prompt));
    found.push(...own);
    cursor = own.length === rows.length ? next : undefined;
  } while (cursor !== undefined);
  return found;
}
