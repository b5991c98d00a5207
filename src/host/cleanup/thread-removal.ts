import { rm } from 'node:fs/promises';
import { actorWords } from '../../domain/words/actor-words.js';
import { RefusalError } from '../../process/files/refusal.js';
import type { ArchiveRequest } from '../../protocol/cleanup.js';
import { Failure } from '../../protocol/failure.js';
import type { ThreadId } from '../../protocol/id.js';
import { Thread } from '../../protocol/thread.js';
import type { Store } from '../../store/store.js';
import type { StoredThread } from '../../store/stored-thread.js';
import type { Refusal } from '../../store/unit.js';
import { type Clock, instant } from '../clock.js';
import type { Actor } from '../host.js';
import type { Failpoint } from '../runs/failpoint.js';
import { expectNoTerminal } from '../terminals/expect-no-terminal.js';
import type { AgentControl } from '../threads/agent-control.js';
import { nameTaken } from '../threads/name-taken.js';
import { ChangeRefused, type ThreadChanges } from '../threads/thread-changes.js';
import { forgetStart } from '../workspaces/work-origin.js';
import type { Worktrees } from '../workspaces/worktrees.js';

export interface ThreadRemovalParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly agents: AgentControl;
  readonly worktrees: Worktrees;
  /** What git inherits. */
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly failpoint: (name: Failpoint) => void;
}

/** Puts threads aside and removes them; work that is neither landed nor discarded only when that is asked for. */
export class ThreadRemoval {
  readonly #parts: ThreadRemovalParts;

  constructor(parts: ThreadRemovalParts) {
    this.#parts = parts;
  }

  async archive(id: ThreadId, { undo = false }: ArchiveRequest, actor: Actor): Promise<void> {
    const { changes, agents, clock } = this.#parts;
    const { thread } = await changes.ownState(id);
    if ((thread.archivedAt === undefined) === undo) return;
    if (thread.importedFrom !== undefined)
      throw new Failure(
        'conflict',
        `${id} was imported from elsewhere and can only be read, so it stays archived.`,
      );
    const at = undo ? null : instant(clock);
    if (!undo) {
      await this.#expectOver(id);
      await agents.end(id, 'its thread was archived', { promptReason: 'turn_cancelled', actor });
    }
    const words = undo ? 'The thread was taken back from the archive' : 'The thread was archived';
    try {
      await changes.commit(id, (state) => {
        const { archivedAt: _before, ...rest } = state.thread;
        return {
          operations: [{ do: 'archiveThread', threadId: id, at }],
          events: [{ type: 'notice', message: `${words} by ${actorWords(actor)}.` }],
          state: { ...state, thread: { ...rest, ...(at !== null && { archivedAt: at }) } },
          result: undefined,
        };
      });
    } catch (error) {
      throw error instanceof ChangeRefused ? refusalOf(id, error.refusal) : error;
    }
  }

  /** Removes a thread with its worktree and the file of its moved events; what it was comes back. */
  async remove(
    id: ThreadId,
    { force, actor }: { readonly force: boolean; readonly actor: Actor },
  ): Promise<Thread> {
    const { store, changes, agents, worktrees } = this.#parts;
    const { thread } = await changes.ownState(id);
    await this.#expectOver(id);
    const loss = await this.lossOf(thread);
    if (loss !== undefined && !force)
      throw new Failure(
        'conflict',
        `${id} was not removed. ${loss} Land its work with: handraise merge ${id}, throw it away with: handraise discard ${id}, or remove the thread and lose the work with: handraise rm --force ${id}`,
      );
    await agents.end(id, 'its thread was removed', { promptReason: 'turn_cancelled', actor });
    // Before the thread: whoever is killed in between finds the thread, and removes it again.
    if (hasWorktree(thread)) await worktrees.remove(thread.workspace.path, { force: true });
    this.#parts.failpoint('removal_worktree_gone');
    await this.#forgetStart(thread);
    this.#parts.failpoint('removal_start_forgotten');
    if (thread.eventsIn !== undefined) await rm(thread.eventsIn, { force: true });
    const result = await store.commit({ operations: [{ do: 'removeThread', threadId: id }] });
    if (!result.committed) throw refusalOf(id, result.refusal);
    return Thread.parse(thread);
  }

  /** A repository that is gone has nothing to forget. */
  async #forgetStart({ id, origin }: StoredThread): Promise<void> {
    if (origin?.snapshot === undefined) return;
    await forgetStart(id, { top: origin.top, env: this.#parts.env }).catch((error: unknown) => {
      if (!(error instanceof RefusalError)) throw error;
    });
  }

  /** What would be lost with a thread, as a sentence: changes and commits that are nowhere else. */
  async lossOf({ workspace, origin }: StoredThread): Promise<string | undefined> {
    if (!hasWorktree({ workspace })) return undefined;
    const { landed } = origin ?? {};
    const { clean, why } = await this.#parts.worktrees.state(workspace.path, landed);
    return clean
      ? undefined
      : `Its worktree ${workspace.path} has work that is neither landed nor discarded. ${why}`;
  }

  async #expectOver(id: ThreadId): Promise<void> {
    const { store, changes } = this.#parts;
    const { thread, run } = await changes.ownState(id);
    expectNoTerminal(thread);
    if (run && !['idle', 'stopped'].includes(thread.status.state)) throw stillAtWork(id);
    for (const state of ['running', 'waiting', 'queued'] as const) {
      const { rows } = await store.query('dispatches', { threadId: id, state, limit: 1 });
      if (rows[0]) throw stillAtWork(id);
    }
    const begun = await store.query('landings', { threadId: id, state: 'begun' });
    const watch = begun.find(({ kind }) => kind === 'watch');
    if (watch)
      throw new Failure(
        'conflict',
        `${watch.pullRequest} is watched for ${id}. End that with: handraise watch-pr ${id} --stop`,
      );
    if (begun[0])
      throw new Failure('conflict', `The work of ${id} is just being landed. Try again in a moment.`);
  }
}

function hasWorktree({ workspace }: Pick<StoredThread, 'workspace'>): boolean {
  return workspace.worktree === true && workspace.branch !== undefined;
}

function stillAtWork(id: ThreadId): Failure {
  return new Failure(
    'conflict',
    `Work of ${id} has not ended. Wait for it with: handraise wait ${id}, or end it with: handraise cancel ${id}`,
  );
}

function refusalOf(id: ThreadId, refusal: Refusal): Failure {
  const taken = nameTaken(refusal);
  if (taken) return taken;
  if (refusal.because === 'missing') return new Failure('not_found', `There is no thread ${id}.`);
  if (refusal.because === 'condition' && 'thread' in refusal.current)
    expectNoTerminal(refusal.current.thread);
  return refusal.because === 'condition' ? stillAtWork(id) : new ChangeRefused(id, refusal);
}
