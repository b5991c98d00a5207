import { useEffect, useState } from 'react';
import type { Client } from '../../client/client.js';
import type { ChangePage } from '../../protocol/changes.js';
import type { Thread } from '../../protocol/thread.js';
import { useConsole } from '../console-context.js';

/** What a thread's agent changed, file by file but without lines; null where nothing can be compared. */
export type ChangeSummary = Pick<ChangePage, 'files' | 'totals'> | null;

const mostFiles = 200;
const atOnce = 2;
const mostKept = 2000;

/** How the changes of threads stand, read when a row that shows them is on the screen, a few at a time. */
class ChangeReader {
  readonly #known = new Map<string, ChangeSummary>();
  readonly #waiting: (() => Promise<void>)[] = [];
  #reading = 0;

  known(key: string): ChangeSummary | undefined {
    return this.#known.get(key);
  }

  read(client: Client, id: Thread['id'], key: string, signal: AbortSignal): Promise<ChangeSummary> {
    return new Promise((resolve) => {
      // What came onto the screen last is read first.
      this.#waiting.unshift(async () => {
        if (signal.aborted) return;
        const found = this.#known.get(key) ?? (await summaryOf(client, id));
        if (this.#known.size > mostKept) this.#known.clear();
        this.#known.set(key, found);
        resolve(found);
      });
      if (this.#reading < atOnce) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#reading += 1;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) await next();
    this.#reading -= 1;
  }
}

const readers = new WeakMap<Client, ChangeReader>();

export interface SummaryOptions {
  readonly isWanted?: boolean;
  /** Another one reads again, beside every change of the status. */
  readonly round?: number;
}

/** The changes of a thread as they were when its status last changed; undefined until they are read. */
export function useChangeSummary(
  thread: Thread,
  { isWanted = true, round = 0 }: SummaryOptions = {},
): ChangeSummary | undefined {
  const { client } = useConsole();
  const { id, status, lastDispatch, settled } = thread;
  const key = `${id} ${status.state} ${status.why} ${lastDispatch?.id} ${lastDispatch?.state} ${settled?.how} ${round}`;
  const reader = readers.get(client) ?? new ChangeReader();
  readers.set(client, reader);
  const [read, setRead] = useState<{ readonly key: string; readonly summary: ChangeSummary }>();
  useEffect(() => {
    if (!isWanted || reader.known(key) !== undefined) return undefined;
    const ending = new AbortController();
    const show = async () => {
      const summary = await reader.read(client, id, key, ending.signal);
      if (!ending.signal.aborted) setRead({ key, summary });
    };
    void show();
    return () => ending.abort();
  }, [client, reader, id, key, isWanted]);
  // What was read before is shown until the next is there.
  return reader.known(key) ?? read?.summary;
}

async function summaryOf(client: Client, id: Thread['id']): Promise<ChangeSummary> {
  try {
    const { files, totals } = await client.threads.changes(id, { limit: mostFiles });
    return { files, totals };
  } catch {
    // No repository, or the worker of another machine: there is nothing to compare.
    return null;
  }
}
