import { isSettled } from '../domain/run-facts.js';
import type { DispatchId, ThreadId } from '../protocol/id.js';
import type { Operation } from '../store/operation.js';
import type { Store } from '../store/store.js';
import type { StoredDispatch } from '../store/stored-dispatch.js';
import { Drive, type DriveOutside } from './drive.js';
import { IdleAgents } from './idle-agents.js';
import { interruptThread } from './interruption.js';
import { Parking, type ParkingOutside } from './parking.js';
import type { ThreadState } from './thread-state.js';

const tickMs = 1000;
const leaseMs = 30_000;
const renewMs = 10_000;
// A tick that comes this late means that the machine slept, or the process was stopped.
const sleptMs = 10_000;

export interface DispatcherSettings {
  /** Dispatches that run at the same time; one that waits for a person does not count. */
  readonly slots: number;
  /** Agents that live at the same time, idle and asking ones included. */
  readonly maxAgents: number;
  readonly idleTimeoutMs: number;
  readonly holdForMs: number;
}

export interface DispatcherOutside extends Omit<DriveOutside, 'changed'>, Pick<ParkingOutside, 'can'> {
  readonly store: Store;
  readonly settings: DispatcherSettings;
  /** Time that goes on whatever happens to the clock, in milliseconds. */
  readonly monotonic: () => number;
  /** What else is done at every look. */
  readonly everySecond: () => Promise<void>;
}

/** Work under way in a worker that leaves. */
interface Leaving {
  readonly threads: readonly ThreadId[];
  /** Lets go of it; once this is over, no agent is being started for it any more. */
  readonly letGo: () => Promise<void>;
}

/**
 * Takes queued work when there is room for it, and has each piece driven to its outcome. Accepting work is not this
 * one's business: it is woken when there is some, and looks once a second in case that a wake was lost.
 */
export class Dispatcher implements AsyncDisposable {
  readonly #outside: DispatcherOutside;
  readonly #drives = new Map<DispatchId, Drive>();
  readonly #listening: Disposable;
  readonly #idle: IdleAgents;
  readonly #parking: Parking;
  #timer: NodeJS.Timeout | undefined;
  #claiming: Promise<void> | null = null;
  #again = false;
  #reserved = 0;
  #closed = false;
  #isLeaving = false;
  #lastTick: number;
  #lastRenewal: number;
  #lastWall: number;

  private constructor(outside: DispatcherOutside) {
    this.#outside = outside;
    this.#lastTick = outside.monotonic();
    this.#lastRenewal = this.#lastTick;
    this.#lastWall = outside.now();
    this.#parking = new Parking({ ...outside, holdForMs: outside.settings.holdForMs });
    this.#idle = new IdleAgents({
      ...outside,
      isDriven: (threadId) =>
        [...this.#drives.values()].some(({ dispatch }) => dispatch.threadId === threadId),
    });
    this.#listening = outside.book.listen({ changed: ({ state }) => this.#changed(state) });
  }

  /** Takes up what was under way, and then whatever is queued. */
  static async open(outside: DispatcherOutside): Promise<Dispatcher> {
    const dispatcher = new Dispatcher(outside);
    for (const state of ['running', 'waiting'] as const) {
      let cursor: string | undefined;
      do {
        const page = await outside.store.query('dispatches', {
          state,
          ...(cursor === undefined ? {} : { cursor }),
        });
        for (const dispatch of page.rows) await dispatcher.#takeUp(dispatch);
        cursor = page.next;
      } while (cursor !== undefined);
    }
    await dispatcher.#lookAround();
    dispatcher.#timer = setInterval(() => void dispatcher.#tick(), tickMs);
    dispatcher.poke();
    return dispatcher;
  }

  /** There may be something to start. */
  poke(): void {
    if (this.#closed || this.#isLeaving) return;
    if (this.#claiming) {
      this.#again = true;
      return;
    }
    this.#claiming = this.#claimAll();
  }

  /** Whoever ended a dispatch from outside says so here. */
  abandon(id: DispatchId): void {
    this.#drives.get(id)?.abandon();
    this.#drives.delete(id);
    this.poke();
  }

  /** Takes nothing new, because this worker leaves with its agents. */
  async leaving(): Promise<Leaving> {
    this.#isLeaving = true;
    await this.#claiming;
    const running = [...this.#drives.values()].filter(({ dispatch }) => dispatch.state === 'running');
    return {
      threads: running.map(({ dispatch }) => dispatch.threadId),
      letGo: async () => {
        for (const drive of running) drive.abandon();
        await Promise.all(running.map(async (drive) => await drive.done.catch(() => {})));
      },
    };
  }

  /** How many dispatches may be started now. */
  get room(): number {
    if (this.#isLeaving) return 0;
    const { settings, worker } = this.#outside;
    const running = [...this.#drives.values()].filter(({ dispatch }) => dispatch.state === 'running').length;
    return Math.min(settings.slots - running, settings.maxAgents - worker.runs.length) - this.#reserved;
  }

  /** Claims up to so many dispatches by an operation that the caller commits, and drives what it got. */
  async claiming(
    limit: number,
    commit: (claim: Operation<'claimDispatches'>) => Promise<readonly StoredDispatch[]>,
  ): Promise<void> {
    const now = this.#outside.now();
    const until = new Date(now + leaseMs).toISOString();
    this.#reserved += limit;
    try {
      const claim = { do: 'claimDispatches', limit, now: new Date(now).toISOString(), until } as const;
      for (const dispatch of await commit(claim)) this.#drive(dispatch);
    } finally {
      this.#reserved -= limit;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#listening[Symbol.dispose]();
    await this.#claiming;
    const drives = [...this.#drives.values()];
    for (const drive of drives) drive.abandon();
    await Promise.all(drives.map(async (drive) => await drive.done.catch(() => {})));
  }

  async #claimAll(): Promise<void> {
    do {
      this.#again = false;
      try {
        await this.#claim();
      } catch (error) {
        this.#outside.log(words(error));
      }
    } while (this.#again && !this.#closed);
    this.#claiming = null;
  }

  async #claim(): Promise<void> {
    const { store, settings, now } = this.#outside;
    const { rows: queued } = await store.query('dispatches', { state: 'queued', limit: 200 });
    const at = new Date(now()).toISOString();
    const due = queued.filter(({ notBefore }) => notBefore === undefined || notBefore <= at);
    if (due.length === 0) return;
    const { room } = this;
    if (settings.maxAgents <= this.#outside.worker.runs.length) await this.#idle.makeRoom();
    if (room > 0) {
      await this.claiming(room, async (claim) => {
        const claimed = await store.commit({ operations: [claim] });
        return claimed.committed ? claimed.results[0] : [];
      });
    }
    await this.#makeWay(due.filter(({ id }) => !this.#drives.has(id)));
  }

  /** An idle agent does not keep other work out of its workspace; one at work does, and the work that waits says so. */
  async #makeWay(waiting: readonly StoredDispatch[]): Promise<void> {
    const { book, worker, store } = this.#outside;
    const occupants = new Map<string, ThreadState>();
    for (const { run } of worker.runs) {
      const state = await book.state(run.threadId);
      if (state.thread.workspace.worktree !== true) occupants.set(state.thread.workspace.path, state);
    }
    for (const dispatch of waiting) {
      const thread = await store.query('thread', { id: dispatch.threadId });
      const occupant = thread && occupants.get(thread.workspace.path);
      if (!occupant || occupant.thread.id === dispatch.threadId) continue;
      if (this.#idle.isIdle(occupant) && occupant.run) {
        void worker.end(occupant.run.run.id, 'its workspace is wanted').then(() => this.poke());
        occupants.delete(occupant.thread.workspace.path);
        continue;
      }
      if (this.#parking.park(occupant)) continue;
      const why = `the workspace is busy: ${occupant.thread.id} works there`;
      if (dispatch.why === why) continue;
      await store.commit({
        operations: [
          { do: 'patchDispatch', dispatchId: dispatch.id, patch: { why }, if: { state: ['queued'] } },
        ],
      });
    }
  }

  async #takeUp(dispatch: StoredDispatch): Promise<void> {
    const { store, now } = this.#outside;
    const taken = await store.commit({
      operations: [
        {
          do: 'acquireLease',
          dispatchId: dispatch.id,
          now: new Date(now()).toISOString(),
          until: new Date(now() + leaseMs).toISOString(),
        },
      ],
    });
    // Refused: another worker holds it, and drives it.
    if (taken.committed) this.#drive({ ...dispatch, lease: taken.results[0] });
  }

  #drive(dispatch: StoredDispatch): void {
    const drive: Drive = new Drive(dispatch, {
      ...this.#outside,
      changed: () => this.poke(),
    });
    this.#drives.set(dispatch.id, drive);
    void this.#afterwards(drive);
  }

  async #afterwards(drive: Drive): Promise<void> {
    const { id } = drive.dispatch;
    try {
      await drive.done;
    } catch (error) {
      this.#outside.log(`${id}: ${words(error)}`);
    }
    if (this.#drives.get(id) === drive) this.#drives.delete(id);
    this.poke();
  }

  #changed(state: ThreadState): void {
    const { id } = state.thread;
    for (const drive of this.#drives.values()) if (drive.dispatch.threadId === id) drive.wake();
    this.#idle.take(state);
    // A run that ended may have kept work out of its workspace.
    if (!state.run) this.poke();
  }

  async #tick(): Promise<void> {
    const { monotonic, now, log } = this.#outside;
    const at = monotonic();
    const gap = at - this.#lastTick;
    const wallGap = now() - this.#lastWall;
    this.#lastTick = at;
    this.#lastWall = now();
    if (gap > sleptMs || Math.abs(wallGap - gap) > sleptMs) {
      const seconds = Math.round(Math.max(gap, Math.abs(wallGap)) / 1000);
      log(
        gap > sleptMs
          ? `this machine or this worker slept for ${seconds} s; agents are looked after again, and no timer ran meanwhile`
          : `the clock jumped by ${Math.round((wallGap - gap) / 1000)} s; timers go by the time that really passed`,
      );
    }
    // Time in which nobody was awake is nobody's time.
    for (const drive of this.#drives.values()) {
      drive.passed(Math.min(gap, 2 * tickMs));
      // A few moves depend on the time alone.
      drive.wake();
    }
    try {
      if (at - this.#lastRenewal >= renewMs) await this.#renew(at);
      await this.#idle.reap(this.#outside.settings.idleTimeoutMs);
      await this.#parking.tick();
      await this.#outside.everySecond();
    } catch (error) {
      log(words(error));
    }
    this.poke();
  }

  async #renew(at: number): Promise<void> {
    const { store, now } = this.#outside;
    this.#lastRenewal = at;
    const until = new Date(now() + leaseMs).toISOString();
    await store.commit({ operations: [{ do: 'beatWorker', at: new Date(now()).toISOString() }] });
    await Promise.all(
      [...this.#drives.values()].map(async (drive) => {
        const { id, lease } = drive.dispatch;
        if (!lease) return;
        const renewed = await store.commit({
          operations: [{ do: 'renewLease', dispatchId: id, epoch: lease.epoch, until }],
        });
        // Fenced: somebody else drives it now, or it has ended.
        if (!renewed.committed) drive.abandon();
      }),
    );
  }

  /** The agents that a former life of this worker left. */
  async #lookAround(): Promise<void> {
    const { worker, book } = this.#outside;
    const wanted = new Set([...this.#drives.values()].map(({ dispatch }) => dispatch.threadId));
    for (const { run } of worker.runs) {
      const state = await book.state(run.threadId);
      this.#idle.take(state);
      // A turn that no dispatch waits for was cancelled by a worker that did not live to interrupt it.
      if (!wanted.has(run.threadId) && state.run && !isSettled(state.run.facts))
        void interruptThread(run.threadId, this.#outside);
    }
  }
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
