import { existsSync } from 'node:fs';
import { sealedPosture } from '../domain/sealed-posture.js';
import { Failure } from '../protocol/failure.js';
import type { DispatchId, RunId, ThreadId } from '../protocol/id.js';
import type { Store } from '../store/store.js';
import type { StoredThread } from '../store/stored-thread.js';
import type { ProjectCodeDesk } from './project-code.js';
import type { ThreadBook } from './thread-book.js';
import type { Worker } from './worker.js';
import type { Worktrees } from './worktrees.js';

export interface LauncherOutside {
  readonly store: Store;
  readonly book: ThreadBook;
  readonly worker: Worker;
  readonly worktrees: Worktrees;
  readonly projectCode: ProjectCodeDesk;
}

/** Starts the agent of a thread, with the posture and the session that are the thread's. */
export class Launcher {
  readonly #outside: LauncherOutside;

  constructor(outside: LauncherOutside) {
    this.#outside = outside;
  }

  /** With `fresh` the agent begins a new session; else it goes on with the last one, where there is one. */
  async launch(
    threadId: ThreadId,
    { how, work }: { readonly how: 'resume' | 'fresh'; readonly work: DispatchId },
  ): Promise<RunId> {
    const { store, book, worker, projectCode } = this.#outside;
    const { thread } = await book.state(threadId);
    const cwd = await this.#workspace(thread);
    const runs = await store.query('runs', { threadId, order: 'newest_first', limit: 20 });
    const newest = runs.rows[0];
    const last = runs.rows.find(({ sessionId }) => sessionId !== undefined);
    const isLost = last?.facts?.sessionLost === true;
    const session = isLost ? undefined : last?.sessionId;
    const resume = how === 'fresh' ? undefined : (session ?? thread.launch.resume);
    const approval = await projectCode.isApproved(cwd);
    if (!approval.approved && !newest) await this.#say(threadId, withheld(approval.files, cwd));
    if (how === 'fresh' && session !== undefined)
      await this.#say(threadId, 'The agent starts afresh: it does not remember what was said before.');
    if (isLost)
      await this.#say(
        threadId,
        'The agent starts afresh: its process ended before anything of its session was saved.',
      );
    const { run } = await worker.start({
      threadId,
      work,
      runtime: thread.runtime,
      cwd,
      // The worker leaves the user's own settings out: their allow rules would shadow approvals.
      posture: newest ? sealedPosture(newest) : { settingSources: ['project'], ...thread.launch.posture },
      projectCode: approval.approved,
      startsAfresh: isLost,
      ...(resume === undefined ? {} : { resume }),
      ...(session === undefined && thread.launch.fork ? { fork: true } : {}),
    });
    return run.id;
  }

  /** The directory to work in; a worktree is made when its thread first needs it. */
  async #workspace({ id, title, workspace }: StoredThread): Promise<string> {
    if (!workspace.worktree || workspace.branch !== undefined) {
      if (existsSync(workspace.path)) return workspace.path;
      throw new Failure('missing_file', `The workspace ${workspace.path} is not there any more.`);
    }
    const made = await this.#outside.worktrees.create({ threadId: id, path: workspace.path, title });
    await this.#outside.book.change(id, (state) => ({
      operations: [{ do: 'patchThread', threadId: id, patch: { workspace: made } }],
      says: [{ type: 'notice', message: `Works on branch ${made.branch} in ${made.path}.` }],
      state: { ...state, thread: { ...state.thread, workspace: made } },
      result: undefined,
    }));
    return made.path;
  }

  async #say(threadId: ThreadId, message: string): Promise<void> {
    await this.#outside.book.change(threadId, (state) => ({
      operations: [],
      says: [{ type: 'notice', message }],
      state,
      result: undefined,
    }));
  }
}

function withheld(files: readonly string[], cwd: string): string {
  const names = files.join(', ');
  return (
    `The project's own ${names} can start programs or widen rights, and nobody approved ${files.length === 1 ? 'it' : 'them'} as ` +
    `${files.length === 1 ? 'it is' : 'they are'}: the agent runs without. To approve: handraise config trust ${cwd}`
  );
}
