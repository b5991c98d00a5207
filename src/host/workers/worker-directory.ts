import { placeAnywhere, placeWork, type WorkerCandidate } from '../../domain/worker/placement.js';
import { isSilent } from '../../domain/worker/silence.js';
import { Failure } from '../../protocol/failure.js';
import type { WorkerId } from '../../protocol/id.js';
import type { Page } from '../../store/page.js';
import type { Store } from '../../store/store.js';
import type { StoredWorker } from '../../store/stored-worker.js';
import { type Clock, instant } from '../clock.js';
import { type ListPart, listPage } from '../list-page.js';

const mostCounted = 1000;

/** A worker with how much of its work is under way. */
export interface WorkerView extends StoredWorker {
  readonly underWay: number;
}

export interface WorkerDirectoryParts {
  readonly store: Store;
  readonly clock: Clock;
  /** Says that this worker lives, and hears whether it is to take no new work. */
  readonly leases: { beat(): Promise<void> };
}

/** The workers of the store: who they are, who takes work, and whom work goes to. */
export class WorkerDirectory {
  readonly #parts: WorkerDirectoryParts;

  constructor(parts: WorkerDirectoryParts) {
    this.#parts = parts;
  }

  async list(part: ListPart = {}): Promise<Page<WorkerView>> {
    const workers = await this.#parts.store.query('workers', {});
    return await listPage(workers, {
      ...part,
      keyOf: ({ id }) => id,
      show: async (worker) => await this.#view(worker),
    });
  }

  /** Lets a worker, by its name or id, take no new work, or take work again. */
  async drain(which: string, isDraining: boolean): Promise<WorkerView> {
    const { store, clock, leases } = this.#parts;
    const { id } = await this.#found(which);
    const at = isDraining ? instant(clock) : null;
    await store.commit({ operations: [{ do: 'drainWorker', workerId: id, at }] });
    if (id === store.worker.id) await leases.beat();
    return await this.#view(await this.#found(id));
  }

  /** Whom work goes to that asks for a worker or a label. */
  async choose(on: string): Promise<WorkerId> {
    const candidates = await this.#candidates('');
    const placed = placeWork(on, candidates);
    const chosen = 'to' in placed ? candidates.find(({ id }) => id === placed.to) : undefined;
    if (chosen) return chosen.id;
    throw new Failure('unavailable', refusalOf(on, 'refused' in placed ? placed.refused : 'unknown'));
  }

  /** Whom work goes to that any worker with its runtime can do; this one, where nobody else takes it. */
  async chooseAny(runtime: string): Promise<WorkerId> {
    const { store } = this.#parts;
    if (!store.isShared) return store.worker.id;
    const candidates = await this.#candidates(runtime);
    const chosen = placeAnywhere(candidates);
    return candidates.find(({ id }) => id === chosen)?.id ?? store.worker.id;
  }

  async #candidates(
    runtime: string,
  ): Promise<readonly (WorkerCandidate & { readonly id: WorkerId; readonly canRun: boolean })[]> {
    const { store, clock } = this.#parts;
    const workers = await store.query('workers', {});
    const views = await Promise.all(workers.map(async (worker) => await this.#view(worker)));
    return views.map(({ id, name, profile, underWay, drainingSince, heartbeatAt }) => ({
      id,
      name,
      labels: profile?.labels ?? [],
      slots: profile?.slots ?? 0,
      underWay,
      isDraining: drainingSince !== undefined,
      isSilent: isSilent({ id, heartbeatAt }, { self: store.worker.id, now: clock.now() }),
      isSelf: id === store.worker.id,
      // Whoever is asked finds out by itself what it has.
      canRun: id === store.worker.id || (profile?.runtimes?.includes(runtime) ?? false),
    }));
  }

  async #found(which: string): Promise<StoredWorker> {
    const workers = await this.#parts.store.query('workers', {});
    const found = workers.find(({ id, name }) => name === which || id === which);
    if (!found)
      throw new Failure(
        'not_found',
        `There is no worker ${which}. To see which there are: handraise worker ls`,
      );
    return found;
  }

  async #view(worker: StoredWorker): Promise<WorkerView> {
    const { store } = this.#parts;
    const pages = await Promise.all(
      (['running', 'waiting'] as const).map(
        async (state) => await store.query('dispatches', { state, ofWorker: worker.id, limit: mostCounted }),
      ),
    );
    return { ...worker, underWay: pages.reduce((sum, { rows }) => sum + rows.length, 0) };
  }
}

function refusalOf(on: string, why: 'unknown' | 'draining' | 'silent'): string {
  switch (why) {
    case 'unknown':
      return `No worker is called ${on} or has that label. To see which there are: handraise worker ls`;
    case 'draining':
      return `Whoever is meant by ${on} takes no new work. To undo that: handraise worker drain --undo NAME`;
    case 'silent':
      return `No worker with the label ${on} answers. Start one of them, or leave --on out.`;
    default:
      return why satisfies never;
  }
}
