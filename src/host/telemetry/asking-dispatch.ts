import type { ThreadPrompt } from '../../domain/prompts/thread-prompt.js';
import type { StoredDispatch } from '../../store/stored-dispatch.js';

/**
 * Which work of a thread a question belongs to: the one that it is to decide about, else the one whose try was under way in the run
 * that asked. More work may wait in the thread meanwhile, and one run can do several pieces of work one after the other.
 */
export function askingDispatch(
  prompt: Pick<ThreadPrompt, 'id' | 'runId' | 'work' | 'createdAt'>,
  dispatches: readonly StoredDispatch[],
): StoredDispatch | undefined {
  const decided = dispatches.find(({ id, decision }) => decision === prompt.id || id === prompt.work);
  if (decided) return decided;
  const asked = Date.parse(prompt.createdAt);
  const begun = dispatches
    .flatMap((dispatch) =>
      dispatch.attempts.map(({ runIds, startedAt }) => ({
        dispatch,
        isOfRun: prompt.runId !== undefined && runIds.includes(prompt.runId),
        at: Date.parse(startedAt),
      })),
    )
    .toSorted((one, other) => other.at - one.at);
  const ofRun = begun.filter(({ isOfRun }) => isOfRun);
  const before = ({ at }: { readonly at: number }) => at <= asked;
  const found = ofRun.find(before) ?? ofRun.at(-1) ?? begun.find(before);
  if (found) return found.dispatch;
  return dispatches
    .filter(({ state, createdAt }) => state !== 'queued' && Date.parse(createdAt) <= asked)
    .toSorted((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt))[0];
}
