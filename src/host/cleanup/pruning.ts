import { plainLine } from '../../domain/words/plain-text.js';
import {
  type PrunedThread,
  type PruneReport,
  type PruneRequest,
  type SparedThread,
} from '../../protocol/cleanup.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import { standingFilter } from '../../protocol/thread-query.js';
import type { Store } from '../../store/store.js';
import type { StoredThread } from '../../store/stored-thread.js';
import type { Clock } from '../clock.js';
import type { Actor } from '../host.js';
import type { RepositoryClones } from '../workspaces/repository-clones.js';
import type { EventMoves } from './event-moves.js';
import type { ThreadRemoval } from './thread-removal.js';

const dayMs = 24 * 60 * 60_000;
const titleLength = 80;
// So that the answer stays a page.
const mostThreads = 5000;
const mostSpared = 500;
const readAtOnce = 200;
const forgottenAtOnce = 1000;

export interface PruningParts {
  readonly store: Store;
  readonly removal: ThreadRemoval;
  readonly moves: EventMoves;
  readonly clones: RepositoryClones;
  readonly clock: Clock;
}

/** Removes old threads without losing work, and forgets notifications that were sent long ago. */
export class Pruning {
  readonly #parts: PruningParts;

  constructor(parts: PruningParts) {
    this.#parts = parts;
  }

  async prune(request: PruneRequest, actor: Actor): Promise<PruneReport> {
    const { dryRun, olderThanDays } = request;
    const before = new Date(this.#parts.clock.now() - olderThanDays * dayMs).toISOString();
    const { chosen, spared, isMore } = await this.#choose(request, before);
    const threads: PrunedThread[] = [];
    for (const each of chosen) {
      const why = dryRun ? undefined : await this.#refusal(each, actor);
      if (why === undefined) threads.push(each);
      else spared.push({ id: each.id, title: each.title, why });
    }
    const { moves, clones } = this.#parts;
    const gone = new Set(threads.map(({ id }) => id));
    const moved = dryRun ? (await moves.due()).filter(({ id }) => !gone.has(id)) : await moves.moveDue();
    const notifications = dryRun ? 0 : await this.forgetNotifications(before);
    const repositories = await clones.prune(Date.parse(before), { dryRun });
    if (!dryRun && threads.length + moved.length > 0) await this.#parts.store.compact();
    return { dryRun, threads, spared, moved, notifications, repositories, isMore };
  }

  /** Forgets notifications that were sent before; how many. */
  async forgetNotifications(doneBefore: string): Promise<number> {
    let forgotten = 0;
    for (;;) {
      const result = await this.#parts.store.commit({
        operations: [{ do: 'forgetOutbox', doneBefore, limit: forgottenAtOnce }],
      });
      const changed = result.committed ? result.results[0].changed : 0;
      forgotten += changed;
      if (changed < forgottenAtOnce) return forgotten;
    }
  }

  /** Removes one; why not, where it could not. */
  async #refusal({ id }: PrunedThread, actor: Actor): Promise<string | undefined> {
    try {
      await this.#parts.removal.remove(id, { force: false, actor });
      return undefined;
    } catch (error) {
      if (error instanceof Failure) return error.message;
      throw error;
    }
  }

  async #choose(request: PruneRequest, before: string) {
    const chosen: PrunedThread[] = [];
    const spared: SparedThread[] = [];
    let surplus = await this.#surplus(request.keepBytes);
    for await (const { thread, bytes } of this.#quiet(before)) {
      if (surplus <= 0 || chosen.length >= mostThreads || spared.length >= mostSpared)
        return { chosen, spared, isMore: surplus > 0 };
      if (!standsSo(thread, request.states)) continue;
      const title = plainLine(thread.title, { maxLength: titleLength });
      const why = await this.#loss(thread);
      if (why !== undefined) {
        spared.push({ id: thread.id, title, why });
        continue;
      }
      const { worktree, path, branch } = thread.workspace;
      chosen.push({
        id: thread.id,
        title,
        bytes,
        ...(worktree && branch !== undefined && { worktree: path }),
      });
      surplus -= bytes;
    }
    return { chosen, spared, isMore: false };
  }

  /** What would be lost with a thread; a worktree that cannot be looked at counts as a loss. */
  async #loss(thread: StoredThread): Promise<string | undefined> {
    try {
      return await this.#parts.removal.lossOf(thread);
    } catch (error) {
      if (error instanceof Failure) return error.message;
      throw error;
    }
  }

  /** How much there is beyond what is kept. */
  async #surplus(keepBytes: number | undefined): Promise<number> {
    if (keepBytes === undefined) return Number.POSITIVE_INFINITY;
    let sum = -keepBytes;
    for await (const { bytes } of this.#threads({})) sum += bytes;
    return sum;
  }

  #quiet(quietSince: string) {
    return this.#threads({ quietSince });
  }

  async *#threads(filter: { readonly quietSince?: string }) {
    const { store } = this.#parts;
    let cursor: string | undefined;
    do {
      const page = await store.query('threads', {
        ...filter,
        own: true,
        limit: readAtOnce,
        ...given({ cursor }),
      });
      const sizes = await store.query('threadSizes', { threadIds: page.rows.map(({ id }) => id) });
      for (const [index, thread] of page.rows.entries()) yield { thread, bytes: sizes[index]?.bytes ?? 0 };
      cursor = page.next;
    } while (cursor !== undefined);
  }
}

function standsSo({ lastDispatch }: StoredThread, states: PruneRequest['states']): boolean {
  if (states === undefined) return true;
  return states.some((standing) => {
    const wanted = standingFilter(standing);
    return 'state' in wanted ? lastDispatch?.state === wanted.state : lastDispatch?.result === wanted.result;
  });
}
