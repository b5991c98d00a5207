// The only file, with the runner's entry, that names implementations; each is loaded when it is first used.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker, WorkerOutside } from './host/worker.js';
import { newId, type WorkerId } from './protocol/id.js';
import type { Store } from './store/store.js';

/** The scripted model server. */
export function loadSimulator() {
  return import('./simulator/index.js');
}

/** What a worker is opened with; the rest of its world is composed here. */
export interface WorkerOptions
  extends Pick<WorkerOutside, 'env' | 'log'>,
    Partial<Pick<WorkerOutside, 'keepSpare' | 'failpoint' | 'recorded' | 'aside'>> {
  /** The folder of everything this worker keeps: its store, its sockets, the spools of its runs. */
  readonly home: string;
  readonly worker: { readonly id: WorkerId; readonly name: string };
}

/** A worker on a store of its own; closing it ends neither runners nor agents. */
export interface OpenedWorker extends AsyncDisposable {
  readonly worker: Worker;
  readonly store: Store;
}

/** Opens the worker of a home on its embedded store, and takes up the runs that are under way. */
export async function openWorker(options: WorkerOptions): Promise<OpenedWorker> {
  const { SqliteStore } = await import('./store/sqlite/sqlite-store.js');
  const { Worker } = await import('./host/worker.js');
  mkdirSync(options.home, { recursive: true, mode: 0o700 });
  const store = await SqliteStore.open({
    file: join(options.home, 'store.db'),
    worker: { ...options.worker, startedAt: new Date().toISOString() },
  });
  const runner = new URL('../bin/handraise-runner.js', import.meta.url).pathname;
  const worker = await Worker.open({
    ...options,
    store,
    runner: { file: process.execPath, args: [runner] },
    now: Date.now,
    newRunId: () => newId('run', { now: Date.now, randomBytes }),
    failpoint: options.failpoint ?? (() => {}),
    aside: options.aside ?? (() => {}),
  });
  return {
    worker,
    store,
    [Symbol.asyncDispose]: async () => {
      await worker[Symbol.asyncDispose]();
      await store.close();
    },
  };
}
