import { Failure } from '../../protocol/failure.js';
import type { Workspace } from '../../protocol/workspace.js';
import type { Operation } from '../../store/operation.js';
import type { StoredThread } from '../../store/stored-thread.js';
import type { ThreadState } from '../threads/thread-state.js';

/** Where the work of a repository can be had from by another worker. */
export function notePushed(
  state: ThreadState,
  pushed: Workspace['pushed'],
): { readonly operations: readonly Operation[]; readonly state: ThreadState } {
  const { thread } = state;
  if (thread.workspace.repo === undefined || pushed === undefined) return { operations: [], state };
  const workspace = { ...thread.workspace, pushed };
  return {
    operations: [{ do: 'patchThread', threadId: thread.id, patch: { workspace } }],
    state: { ...state, thread: { ...thread, workspace } },
  };
}

/** Work of a repository that was fetched goes back to where that is, and to nothing of this machine. */
export function expectFolder({ id, workspace }: StoredThread): void {
  if (workspace.repo === undefined) return;
  throw new Failure(
    'conflict',
    `The work of ${id} was given as a repository, so there is nothing here to put it into. Push it with: handraise push ${id}, or open a pull request with: handraise pr ${id}`,
  );
}
