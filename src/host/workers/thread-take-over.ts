import { existsSync } from 'node:fs';
import { lostWorkerEnding, outcomeOf } from '../../domain/dispatch/outcome.js';
import { sessionOf } from '../../domain/run/run-facts.js';
import { absenceNotice, absenceWhy, takenOverNotice } from '../../domain/words/absence-words.js';
import { isBelow, type Unmovable, whyNotTaken } from '../../domain/worker/take-over.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { ThreadId } from '../../protocol/id.js';
import type { ThreadEventBody } from '../../protocol/thread-event.js';
import type { Operation } from '../../store/operation.js';
import type { Store } from '../../store/store.js';
import type { StoredDispatch } from '../../store/stored-dispatch.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { StoredThread } from '../../store/stored-thread.js';
import type { StoredWorker } from '../../store/stored-worker.js';
import { type Clock, instant } from '../clock.js';
import { closing } from '../recovery/settle-run.js';
import type { RuntimeCatalog } from '../runtime-catalog.js';
import { ChangeRefused, type ThreadChange, type ThreadChanges } from '../threads/thread-changes.js';
import type { ThreadState } from '../threads/thread-state.js';
import type { RepositoryClones } from '../workspaces/repository-clones.js';

/** Work that has not ended, in the order in which it is looked at. */
export const openStates = ['waiting', 'running', 'queued'] as const;

export interface ThreadTakeOverParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly runtimes: Pick<RuntimeCatalog, 'expectInstalled'>;
  readonly clock: Clock;
  readonly sharedFolders: readonly string[];
  readonly clones: Pick<RepositoryClones, 'canFetch'>;
  /** Whether this worker takes no new work. */
  readonly isDraining: () => boolean;
}

/** Goes on with a thread of a worker that is gone, or says in it why that is not possible. */
export class ThreadTakeOver {
  readonly #parts: ThreadTakeOverParts;

  constructor(parts: ThreadTakeOverParts) {
    this.#parts = parts;
  }

  /** Why this worker cannot go on with the thread; null where it can. */
  whyNot(thread: StoredThread, from: StoredWorker): Unmovable | null {
    const { workspace, runtime, launch, terminal, session } = thread;
    const { sharedFolders, clones, isDraining } = this.#parts;
    // One that drains lives: what is in its worktree and not pushed is not left behind.
    const isLeft = from.drainingSince === undefined || workspace.branch === undefined;
    return whyNotTaken({
      canFetch: workspace.repo === undefined ? undefined : isLeft && clones.canFetch(workspace.repo),
      path: workspace.path,
      sharedFolders: { theirs: from.profile?.sharedFolders ?? [], ours: sharedFolders },
      isThere: existsSync(workspace.path),
      // A session that a terminal had, or that was adopted, is all that there is of such a thread.
      isInTerminal: terminal !== undefined || session !== undefined || launch.resume !== undefined,
      canRun: this.canRun(runtime, launch.posture),
      isDraining: isDraining(),
    });
  }

  /** Whether its folder is the same one here: then all of it is there, what was not pushed included. */
  #isHere({ workspace: { path } }: StoredThread, { profile }: StoredWorker): boolean {
    const { sharedFolders } = this.#parts;
    return isBelow(path, profile?.sharedFolders ?? []) && isBelow(path, sharedFolders) && existsSync(path);
  }

  /**
   * Makes the thread this worker's, in one commit: its run is over, the session of its agent is out of reach, and the try
   * that was under way has ended without having failed. False where somebody was faster, or the other worker lives. What is
   * to move `together` with it is a part of the commit.
   */
  async take(
    threadId: ThreadId,
    { from, by }: Parties,
    together: readonly Operation[] = [],
  ): Promise<boolean> {
    const { changes, store, clock } = this.#parts;
    const at = instant(clock);
    try {
      await changes.commit(
        threadId,
        async (state) => {
          const over = closed(state, { sessionRun: await this.#sessionRun(threadId), at });
          const ended = (await this.#open(threadId)).map((work) =>
            withoutTry(work, { at, worker: from.name }),
          );
          const isHere = this.#isHere(state.thread, from);
          const moved = isHere ? { operations: [], state: over.state } : withoutWorktree(over.state);
          return {
            ...over,
            operations: [
              { do: 'takeOverThread', threadId, from },
              ...together,
              ...over.operations,
              ...moved.operations,
              ...ended.flatMap(({ operations }) => operations),
            ],
            state: moved.state,
            events: [
              ...(over.events ?? []),
              ...ended.flatMap(({ events }) => events),
              {
                type: 'notice',
                message: takenOverNotice({
                  from: from.name,
                  by,
                  isDraining: from.drainingSince !== undefined,
                  ...(!isHere &&
                    state.thread.workspace.repo !== undefined && {
                      pushed: state.thread.workspace.pushed?.branch ?? null,
                    }),
                }),
              },
            ],
          };
        },
        { anywhere: true },
      );
    } catch (error) {
      if (error instanceof ChangeRefused) return false;
      throw error;
    }
    await changes.refresh(threadId);
    return (await store.query('foreignWorker', { threadId })) === null;
  }

  /** Says why the work waits; once, whoever of the others says it. */
  async tellAbsence(dispatch: StoredDispatch, from: StoredWorker): Promise<void> {
    const { changes, store } = this.#parts;
    const why = absenceWhy(from.name);
    await changes.commit(
      dispatch.threadId,
      async (state) => {
        const now = await store.query('dispatch', { id: dispatch.id });
        if (!now || now.state === 'ended' || now.why === why) return null;
        return {
          operations: [
            { do: 'patchDispatch', dispatchId: dispatch.id, patch: { why }, if: { state: [now.state] } },
          ],
          events: [{ type: 'notice', message: absenceNotice(from.name) }],
          state,
          result: undefined,
        };
      },
      { anywhere: true },
    );
  }

  async #open(threadId: ThreadId): Promise<readonly StoredDispatch[]> {
    const { store } = this.#parts;
    const pages = await Promise.all(
      openStates.map(async (state) => await store.query('dispatches', { threadId, state, limit: 1000 })),
    );
    return pages.flatMap(({ rows }) => rows);
  }

  /** The run whose session the thread would go on with. */
  async #sessionRun(threadId: ThreadId): Promise<StoredRun | undefined> {
    const { rows } = await this.#parts.store.query('runs', { threadId, order: 'newest_first', limit: 20 });
    return rows.find(({ sessionId }) => sessionId !== undefined);
  }

  /** Whether this worker may fetch a repository. */
  canFetch(repo: string): boolean {
    return this.#parts.clones.canFetch(repo);
  }

  /** Whether the agent is installed here. */
  canRun(runtime: StoredThread['runtime'], posture: StoredThread['launch']['posture']): boolean {
    try {
      this.#parts.runtimes.expectInstalled(runtime, posture);
      return true;
    } catch (error) {
      if (error instanceof Failure) return false;
      throw error;
    }
  }
}

/** Who is gone, and who goes on. */
export interface Parties {
  readonly from: StoredWorker;
  readonly by: string;
}

/** The thread without the run that its worker had, and without the session, which is on the other machine. */
function closed(
  state: ThreadState,
  { sessionRun, at }: { readonly sessionRun: StoredRun | undefined; readonly at: string },
): ThreadChange {
  const over: ThreadChange = state.run
    ? closing(state, state.run, {
        process: undefined,
        error: undefined,
        findings: null,
        isOutOfReach: true,
        at,
      })
    : { operations: [], state, result: undefined };
  const id = sessionRun?.facts && sessionOf(sessionRun.facts);
  if (!sessionRun?.facts || id === undefined || sessionRun.id === state.run?.run.id) return over;
  const facts = { ...sessionRun.facts, session: { state: 'lost', id } as const };
  return {
    ...over,
    operations: [...over.operations, { do: 'patchRun', runId: sessionRun.id, patch: { facts } }],
  };
}

/** Its worktree is on the other machine: it is made anew here, from what was pushed. */
function withoutWorktree(state: ThreadState): {
  readonly operations: readonly Operation[];
  readonly state: ThreadState;
} {
  const { thread } = state;
  const { repo, ref, pushed } = thread.workspace;
  if (repo === undefined) return { operations: [], state };
  const workspace = { path: repo, worktree: true, repo, ...given({ ref, pushed }) };
  return {
    operations: [{ do: 'patchThread', threadId: thread.id, patch: { workspace } }],
    state: { ...state, thread: { ...thread, workspace } },
  };
}

/** Work that ran waits for a slot again; what waits for a person goes on waiting. */
function withoutTry(
  { id, state, attempts }: StoredDispatch,
  { at, worker }: { readonly at: string; readonly worker: string },
): { readonly operations: readonly Operation[]; readonly events: readonly ThreadEventBody[] } {
  const attempt = attempts.length;
  const isUnderWay = attempts.at(-1) !== undefined && attempts.at(-1)?.endedAt === undefined;
  const outcome = outcomeOf(lostWorkerEnding(worker));
  const patch =
    state === 'waiting'
      ? { why: 'the agent is waiting for an answer' }
      : ({ state: 'queued', why: `taken over from ${worker}` } as const);
  return {
    operations: [
      ...(isUnderWay ? [{ do: 'endAttempt', dispatchId: id, attempt, at, outcome } as const] : []),
      { do: 'patchDispatch', dispatchId: id, patch, if: { state: [state] } },
    ],
    events: isUnderWay ? [{ type: 'attempt_ended', dispatchId: id, attempt, outcome, retryAt: at }] : [],
  };
}
