import type { Client } from '../../client/client.js';
import { Failure } from '../../protocol/failure.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Thread } from '../../protocol/thread.js';

/** How many lines came and went; null where nothing can be compared. */
export type LineCount = { readonly added: number; readonly removed: number } | null;

const mostKept = 2000;

/** What the agents of threads changed, counted for the rows in sight, one after the other; read again when a status changes. */
export class RowChanges {
  readonly #client: Client;
  readonly #onChange: () => void;
  readonly #known = new Map<ThreadId, { readonly key: string; readonly lines: LineCount }>();
  #wanted: readonly Thread[] = [];
  #isReading = false;

  constructor(client: Client, onChange: () => void) {
    this.#client = client;
    this.#onChange = onChange;
  }

  /** What is known of each; what was read before stands until the next is there. */
  get lines(): ReadonlyMap<ThreadId, LineCount> {
    return new Map(Array.from(this.#known, ([id, { lines }]) => [id, lines]));
  }

  /** The threads whose rows are on the screen. */
  want(threads: readonly Thread[]): void {
    this.#wanted = threads;
    if (!this.#isReading) void this.#read();
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    for (;;) {
      const next = this.#wanted.find((thread) => this.#known.get(thread.id)?.key !== keyOf(thread));
      if (!next) break;
      const lines = await this.#count(next.id);
      // Asked again with the next frame: the worker is away.
      if (lines === undefined) break;
      if (this.#known.size > mostKept) this.#known.clear();
      this.#known.set(next.id, { key: keyOf(next), lines });
      this.#onChange();
    }
    this.#isReading = false;
  }

  async #count(id: ThreadId): Promise<LineCount | undefined> {
    try {
      const { added, removed } = (await this.#client.threads.changes(id, { limit: 1 })).totals;
      return { added, removed };
    } catch (error) {
      // No repository, or a folder of another machine: there is nothing to compare.
      return error instanceof Failure && error.code === 'unavailable' ? undefined : null;
    }
  }
}

/** Changes are read again when this is another one. */
function keyOf({ status, lastDispatch, settled }: Thread): string {
  return `${status.state} ${status.why} ${lastDispatch?.id} ${lastDispatch?.state} ${settled?.how}`;
}
