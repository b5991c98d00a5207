import { actorWords } from '../../domain/words/actor-words.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Store } from '../../store/store.js';
import type { StoredDispatch } from '../../store/stored-dispatch.js';
import type { StoredThread } from '../../store/stored-thread.js';
import type { IdleAgents } from '../runs/idle-agents.js';
import type { Parking } from '../runs/parking.js';
import type { RunSupervisor } from '../runs/run-supervisor.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import type { ThreadState } from '../threads/thread-state.js';

export interface WorkspaceContentionParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly supervisor: RunSupervisor;
  readonly idleAgents: IdleAgents;
  readonly parking: Parking;
}

/** One agent works in a folder at a time: an idle one makes way, one at work does not, and the work that waits says so. */
export class WorkspaceContention {
  readonly #parts: WorkspaceContentionParts;

  constructor(parts: WorkspaceContentionParts) {
    this.#parts = parts;
  }

  /** Frees the workspaces of queued work as far as that does no harm; `freed` is called for each once it is free. */
  async makeWay(waiting: readonly StoredDispatch[], freed: () => void): Promise<void> {
    const { store, supervisor, idleAgents, parking } = this.#parts;
    const occupants = await this.#occupants();
    const terminals = await this.#terminals();
    for (const dispatch of waiting) {
      const thread = await store.query('thread', { id: dispatch.threadId });
      const opened = thread?.terminal ? thread : thread && terminals.get(thread.workspace.path);
      if (opened?.terminal) {
        await this.#explain(dispatch, terminalWords(opened, dispatch.threadId));
        continue;
      }
      const occupant = thread && occupants.get(thread.workspace.path);
      if (!occupant || occupant.thread.id === dispatch.threadId) continue;
      if (idleAgents.isIdle(occupant) && occupant.run) {
        void supervisor
          .tryToEnd(occupant.run.run.id, 'to free the folder for other work')
          .then((hasEnded) => (hasEnded ? freed() : undefined));
        occupants.delete(occupant.thread.workspace.path);
        continue;
      }
      if (!parking.park(occupant))
        await this.#explain(dispatch, `the workspace is busy: ${occupant.thread.id} is working there`);
    }
  }

  /** The agents that live, by the folder they keep others out of; a worktree is nobody else's. */
  async #occupants(): Promise<Map<string, ThreadState>> {
    const { changes, supervisor } = this.#parts;
    const occupants = new Map<string, ThreadState>();
    for (const { threadId } of supervisor.runs) {
      const state = await changes.state(threadId);
      if (state.thread.workspace.worktree !== true) occupants.set(state.thread.workspace.path, state);
    }
    return occupants;
  }

  /** The threads that somebody has in a terminal, by the folder they keep others out of. */
  async #terminals(): Promise<Map<string, StoredThread>> {
    const { rows } = await this.#parts.store.query('threads', { inTerminal: true, own: true });
    return new Map(
      rows.flatMap((thread) => (thread.workspace.worktree ? [] : [[thread.workspace.path, thread]])),
    );
  }

  async #explain(dispatch: StoredDispatch, why: string): Promise<void> {
    if (dispatch.why === why) return;
    await this.#parts.store.commit({
      operations: [
        { do: 'patchDispatch', dispatchId: dispatch.id, patch: { why }, if: { state: ['queued'] } },
      ],
    });
  }
}

function terminalWords({ id, terminal }: StoredThread, waiting: ThreadId): string {
  const whose = actorWords(terminal?.openedBy ?? '');
  return id === waiting
    ? `the thread is open in a terminal of ${whose}`
    : `the workspace is busy: ${id} is open there in a terminal of ${whose}`;
}
