import { errorSentence } from '../../protocol/error-sentence.js';
import { given } from '../../protocol/given.js';
import type { Store } from '../../store/store.js';
import type { StoredThread } from '../../store/stored-thread.js';
import type { Clock } from '../clock.js';
import type { KeepSettings } from '../host-environment.js';
import { RepeatedLook } from '../repeated-look.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import type { RepositoryClones } from '../workspaces/repository-clones.js';
import type { Worktrees } from '../workspaces/worktrees.js';
import type { EventMoves } from './event-moves.js';
import type { Pruning } from './pruning.js';
import type { ThreadRemoval } from './thread-removal.js';

const dayMs = 24 * 60 * 60_000;
const readAtOnce = 200;

export interface RetentionParts {
  readonly store: Store;
  readonly changes: ThreadChanges;
  readonly pruning: Pruning;
  readonly moves: EventMoves;
  readonly removal: ThreadRemoval;
  readonly worktrees: Worktrees;
  readonly clones: RepositoryClones;
  readonly keep: KeepSettings;
  readonly everyMs: number;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** What the worker tidies up by itself, when it starts and again and again; never work that is not landed. */
export class Retention implements AsyncDisposable {
  readonly #parts: RetentionParts;
  readonly #looks: RepeatedLook;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
    this.#looks = new RepeatedLook(async () => await this.#tidy(), parts.everyMs);
  }

  open(): void {
    this.#looks.now();
    this.#looks.open();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#looks[Symbol.asyncDispose]();
  }

  async #tidy(): Promise<void> {
    const { pruning, moves, clones, keep, log } = this.#parts;
    const { keepNotificationsDays = 7, keepWorktreesDays = 14 } = keep;
    try {
      await pruning.forgetNotifications(this.#daysAgo(keepNotificationsDays));
      await this.#removeWorktrees(this.#daysAgo(keepWorktreesDays));
      await clones.prune(Date.parse(this.#daysAgo(keepWorktreesDays)), { dryRun: false });
      await moves.moveDue();
    } catch (error) {
      log(`tidying up: ${errorSentence(error)}`);
    }
  }

  async #removeWorktrees(quietSince: string): Promise<void> {
    const { store } = this.#parts;
    let cursor: string | undefined;
    do {
      const page = await store.query('threads', {
        own: true,
        quietSince,
        hasWorktree: true,
        limit: readAtOnce,
        ...given({ cursor }),
      });
      for (const thread of page.rows) await this.#removeWorktree(thread);
      cursor = page.next;
    } while (cursor !== undefined);
  }

  async #removeWorktree(thread: StoredThread): Promise<void> {
    const { store, changes, removal, worktrees, log } = this.#parts;
    const { id, workspace, origin } = thread;
    const isKept = origin?.landed !== undefined || workspace.pushed !== undefined;
    if (!isKept || workspace.branch === undefined) return;
    try {
      if ((await changes.state(id)).run) return;
      // Its pull request is watched: there may be more to do.
      if ((await store.query('landings', { threadId: id, state: 'begun', limit: 1 })).length > 0) return;
      const { exists } = await worktrees.state(workspace.path);
      if (!exists || (await removal.lossOf(thread)) !== undefined) return;
      await worktrees.remove(workspace.path, { force: true });
      const message = `The worktree ${workspace.path} was removed: its work was ${workspace.pushed ? 'pushed' : 'landed'}, and nothing has happened since.`;
      await changes.append(id, [{ type: 'notice', message }]);
    } catch (error) {
      log(`the worktree of ${id}: ${errorSentence(error)}`);
    }
  }

  #daysAgo(days: number): string {
    return new Date(this.#parts.clock.now() - days * dayMs).toISOString();
  }
}
