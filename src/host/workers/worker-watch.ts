import { setTimeout } from 'node:timers/promises';
import type { Page } from '../../store/page.js';
import type { Standing } from '../../store/standing.js';
import type { Store } from '../../store/store.js';
import type { UsageTotal } from '../../store/usage-total.js';
import type { LeaseRenewal } from '../dispatches/lease-renewal.js';
import type { TelemetryCounts } from '../telemetry/span-export.js';
import type { WorkerDirectory, WorkerView } from './worker-directory.js';

// Whoever asks whether to send work here does not wait longer.
const storePatienceMs = 2000;

/** Why a worker should get no work now. */
export type Unready = 'store' | 'draining';

/** What those see who watch over a worker. */
export interface WorkerSight extends Standing {
  readonly workers: readonly WorkerView[];
  readonly self: string;
  readonly usage: readonly UsageTotal[];
  /** Missing where no traces are sent. */
  readonly telemetry?: TelemetryCounts | undefined;
}

export interface WorkerWatchParts {
  readonly store: Store;
  readonly workers: WorkerDirectory;
  readonly leases: Pick<LeaseRenewal, 'isDraining'>;
  readonly telemetry?: { readonly counts: TelemetryCounts } | undefined;
}

/** Tells whether the worker can take work, and how much there is. */
export class WorkerWatch {
  readonly #parts: WorkerWatchParts;

  constructor(parts: WorkerWatchParts) {
    this.#parts = parts;
  }

  /** Null where it can: its store answers, and nobody has asked it to take no new work. */
  async whyUnready(): Promise<Unready | null> {
    const { store, leases } = this.#parts;
    if (leases.isDraining) return 'draining';
    const over = new AbortController();
    const answers = store.query('workers', {}).then(
      () => true,
      () => false,
    );
    const patience = setTimeout(storePatienceMs, false, { signal: over.signal }).catch(() => false);
    const isThere = await Promise.race([answers, patience]);
    over.abort();
    return isThere ? null : 'store';
  }

  async look(): Promise<WorkerSight> {
    const { store, workers, telemetry } = this.#parts;
    const [standing, all, usage]: [Standing, Page<WorkerView>, readonly UsageTotal[]] = await Promise.all([
      store.query('standing', {}),
      workers.list(),
      store.query('usage', { by: 'runtime' }),
    ]);
    return { ...standing, workers: all.rows, self: store.worker.id, usage, telemetry: telemetry?.counts };
  }
}
