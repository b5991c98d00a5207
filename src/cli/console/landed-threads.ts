import type { Client } from '../../client/client.js';
import type { Overview } from '../../live/overview.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Landing } from '../../protocol/landing.js';
import { needGroupOf } from './home-list.js';

// The newest are what a person reviews; older ones are looked at when they are among them.
const mostLookedAt = 200;

/** Which threads have landed: merged, applied or in a pull request. Asked for once for each state of a thread. */
export class LandedThreads {
  readonly #client: Client;
  readonly #onChange: () => void;
  readonly #asked = new Map<ThreadId, number>();
  #landed: ReadonlySet<ThreadId> = new Set();
  #isAsking = false;

  constructor(client: Client, onChange: () => void) {
    this.#client = client;
    this.#onChange = onChange;
  }

  get landed(): ReadonlySet<ThreadId> {
    return this.#landed;
  }

  /** Looks at what is new, one after the other. */
  look(overview: Overview): void {
    if (this.#isAsking) return;
    const ready = [...overview.threads.values()]
      .filter(({ archivedAt, workspace }) => archivedAt === undefined && workspace.worktree === true)
      .filter((thread) => needGroupOf(thread, new Set()) === 'Ready to review')
      .toSorted((one, other) => (one.id < other.id ? 1 : -1))
      .slice(0, mostLookedAt)
      .filter(({ id, lastSeq }) => this.#asked.get(id) !== lastSeq);
    if (ready.length > 0) void this.#ask(ready.map(({ id, lastSeq }) => ({ id, lastSeq })));
  }

  async #ask(threads: readonly { readonly id: ThreadId; readonly lastSeq: number }[]): Promise<void> {
    this.#isAsking = true;
    try {
      for (const { id, lastSeq } of threads) {
        const landings = await this.#client.threads.landings(id);
        this.#asked.set(id, lastSeq);
        if (hasLanded(landings) === this.#landed.has(id)) continue;
        this.#landed = hasLanded(landings)
          ? new Set([...this.#landed, id])
          : new Set([...this.#landed].filter((each) => each !== id));
        this.#onChange();
      }
    } catch {
      // It is looked at again with the next change; until then the work is to be reviewed.
    } finally {
      this.#isAsking = false;
    }
  }
}

/** The newest first: what was undone or failed after it has not landed. */
function hasLanded(landings: readonly Landing[]): boolean {
  const last = landings.find(
    ({ kind, state }) => kind !== 'watch' && (state === 'done' || state === 'undone'),
  );
  return last?.state === 'done' && last.kind !== 'discard';
}
