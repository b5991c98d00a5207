import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Client } from '../../client/client.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Thread } from '../../protocol/thread.js';
import { useConsole } from '../console-context.js';
import type { DatedStatus } from '../parts/status-span.js';

const steps = 300;

type Logs = ReadonlyMap<ThreadId, readonly DatedStatus[]>;

/** The status logs of threads; each is read again when its thread has changed its status. */
class StatusLogs {
  readonly #client: Client;
  readonly #listeners = new Set<() => void>();
  /** Which status each log was read, or is to be read, for. */
  readonly #stamps = new Map<ThreadId, string>();
  readonly #wanted = new Set<ThreadId>();
  #logs: Logs = new Map();
  #isReading = false;

  constructor(client: Client) {
    this.#client = client;
  }

  get logs(): Logs {
    return this.#logs;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  want(threads: readonly Thread[]): void {
    for (const { id, status } of threads) {
      const stamp = `${status.state} ${status.why}`;
      if (this.#stamps.get(id) === stamp) continue;
      this.#stamps.set(id, stamp);
      this.#wanted.add(id);
    }
    if (!this.#isReading) void this.#read();
  }

  /** One after the other: a browser has six connections, and others want some too. */
  async #read(): Promise<void> {
    this.#isReading = true;
    for (const id of this.#wanted) {
      this.#wanted.delete(id);
      const query = { limit: steps, order: 'newest_first' } as const;
      const found = await this.#client.threads.statusSteps(id, query).catch(() => null);
      if (!found) continue;
      this.#logs = new Map(this.#logs).set(id, found.toReversed());
      for (const listener of this.#listeners) listener();
    }
    this.#isReading = false;
  }
}

export function useStatusLogs(threads: readonly Thread[]): Logs {
  const { client } = useConsole();
  const [logs] = useState(() => new StatusLogs(client));
  useEffect(() => logs.want(threads), [logs, threads]);
  return useSyncExternalStore(logs.subscribe, () => logs.logs);
}
