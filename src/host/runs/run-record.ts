import { given } from '../../protocol/given.js';
import type { ThreadEventBody } from '../../protocol/thread-event.js';
import type { RunPatch } from '../../store/operation.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { ThreadChanges } from '../threads/thread-changes.js';

/** What the worker itself changes of a run that lives. */
type LiveRunPatch = Pick<RunPatch, 'process' | 'amendments' | 'killIntent'>;

/** Changes the row of a run and the state of its thread; nothing happens once it is not the thread's live run any more. */
export async function patchLiveRun(
  changes: ThreadChanges,
  { id, threadId }: Pick<StoredRun, 'id' | 'threadId'>,
  patch: LiveRunPatch,
  events: readonly ThreadEventBody[] = [],
): Promise<void> {
  await changes.commit(threadId, (state) => {
    if (state.run?.run.id !== id) return null;
    const { process, amendments, killIntent } = patch;
    const run = {
      ...state.run.run,
      ...given({ process, amendments: amendments && [...amendments], killIntent: killIntent ?? undefined }),
    };
    return {
      operations: [{ do: 'patchRun', runId: id, patch }],
      events,
      state: { ...state, run: { ...state.run, run } },
      result: undefined,
    };
  });
}
