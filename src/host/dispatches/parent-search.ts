import { deepestWork, type ParentWork } from '../../domain/dispatch/child-work.js';
import { sealedPosture } from '../../domain/dispatch/sealed-posture.js';
import { DispatchId, type ThreadId } from '../../protocol/id.js';
import type { ProcessIdentity } from '../../protocol/run.js';
import type { Store } from '../../store/store.js';
import type { StoredDispatch } from '../../store/stored-dispatch.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { ThreadChanges } from '../threads/thread-changes.js';

/** The work whose agent called, as it is now. */
export interface FoundParent extends ParentWork {
  readonly id: DispatchId;
}

/** Finds the work whose agent asks for more: by the runner that started the caller, which no agent can choose. */
export class ParentSearch {
  readonly #store: Store;
  readonly #changes: ThreadChanges;

  constructor(store: Store, changes: ThreadChanges) {
    this.#store = store;
    this.#changes = changes;
  }

  /** Null where none of these processes is a runner with work of this worker. */
  async of(callers: readonly ProcessIdentity[]): Promise<FoundParent | null> {
    const threadId = await this.#threadOf(callers);
    if (threadId === undefined) return null;
    const { thread, run } = await this.#changes.state(threadId);
    const id = DispatchId.safeParse(run?.facts.work?.id).data;
    const work = id === undefined ? await this.#newest(threadId) : await this.#dispatch(id);
    if (!work) return null;
    const { permissions, posture } = thread.launch;
    return {
      id: work.id,
      runtime: thread.runtime,
      permissions,
      posture: run ? sealedPosture(run.run) : posture,
      request: work.request,
      depth: await this.#depthOf(threadId),
    };
  }

  async #threadOf(callers: readonly ProcessIdentity[]): Promise<ThreadId | undefined> {
    if (callers.length === 0) return undefined;
    let cursor: string | undefined;
    do {
      const page = await this.#store.query('runs', {
        own: true,
        ended: false,
        ...(cursor !== undefined && { cursor }),
      });
      const found = page.rows.find((run) => callers.some((caller) => isRunner(run, caller)));
      if (found) return found.threadId;
      cursor = page.next;
    } while (cursor !== undefined);
    return undefined;
  }

  /** By the first work of each thread, as it made the thread; what was said in it later makes it nobody else's. */
  async #depthOf(threadId: ThreadId): Promise<number> {
    let thread = threadId;
    for (let depth = 0; depth < deepestWork; depth += 1) {
      const first = await this.#first(thread);
      if (first?.parent === undefined) return depth;
      const parent = await this.#dispatch(first.parent);
      // It was removed; what is left of the line is not known, and nothing more comes of it.
      if (!parent) return deepestWork;
      thread = parent.threadId;
    }
    return deepestWork;
  }

  async #dispatch(id: DispatchId): Promise<StoredDispatch | null> {
    return await this.#store.query('dispatch', { id });
  }

  async #first(threadId: ThreadId): Promise<StoredDispatch | undefined> {
    return (await this.#store.query('dispatches', { threadId, order: 'oldest_first', limit: 1 })).rows[0];
  }

  async #newest(threadId: ThreadId): Promise<StoredDispatch | undefined> {
    return (await this.#store.query('dispatches', { threadId, order: 'newest_first', limit: 1 })).rows[0];
  }
}

function isRunner({ process }: StoredRun, caller: ProcessIdentity): boolean {
  return (
    process !== undefined &&
    process.pid === caller.pid &&
    process.startTime === caller.startTime &&
    process.bootId === caller.bootId
  );
}
