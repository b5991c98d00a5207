import { isSettled } from '../../domain/run/run-facts.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { given } from '../../protocol/given.js';
import type { DispatchId, ThreadId } from '../../protocol/id.js';
import type { Operation } from '../../store/operation.js';
import type { Store } from '../../store/store.js';
import type { StoredDispatch } from '../../store/stored-dispatch.js';
import { instant } from '../clock.js';
import type { WorkerSettings } from '../host-environment.js';
import type { IdleAgents } from '../runs/idle-agents.js';
import type { Parking } from '../runs/parking.js';
import type { ThreadState } from '../threads/thread-state.js';
import type { WorkerDeadline } from '../workers/worker-deadline.js';
import { DispatchExecution, type DispatchExecutionParts } from './dispatch-execution.js';
import { DispatchExecutions } from './dispatch-executions.js';
import type { LeaseRenewal } from './lease-renewal.js';
import { holdForQuota, mendWaits } from './quota-pause.js';
import type { WorkspaceContention } from './workspace-contention.js';

const tickMs = 1000;
// A tick that comes this late means that the machine slept, or the process was stopped.
const sleptMs = 10_000;

export interface DispatcherParts {
  readonly store: Store;
  readonly executions: DispatchExecutions;
  /** What every dispatch is executed with. */
  readonly execution: DispatchExecutionParts;
  readonly leases: LeaseRenewal;
  readonly deadline: Pick<WorkerDeadline, 'isPast'>;
  readonly contention: WorkspaceContention;
  readonly idleAgents: IdleAgents;
  readonly parking: Parking;
  readonly settings: Pick<WorkerSettings, 'slots' | 'maxAgents' | 'idleTimeoutMs' | 'absence'>;
}

/** Work under way in a worker that leaves. */
interface Leaving {
  readonly work: readonly { readonly threadId: ThreadId }[];
  /** Lets go of it; once this is over, no agent is being started for it any more. */
  readonly letGo: () => Promise<void>;
}

/**
 * Takes queued work when there is room for it, and has each piece executed to its outcome. Accepting work is not this
 * one's business: it is poked when there is some, and looks once a second in case that a poke was lost.
 */
export class Dispatcher implements AsyncDisposable {
  readonly #parts: DispatcherParts;
  #listening: Disposable | undefined;
  #timer: NodeJS.Timeout | undefined;
  #claiming: Promise<void> | null = null;
  #claimsAgain = false;
  #reserved = 0;
  #closed = false;
  #isLeaving = false;
  #isCutOff = false;
  #lastTick: number;
  #lastWall: number;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    const { clock } = parts.execution;
    this.#lastTick = clock.monotonic();
    this.#lastWall = clock.now();
  }

  /** Takes up what was under way, and then whatever is queued. */
  async open(): Promise<void> {
    const { execution } = this.#parts;
    this.#listening = execution.changes.listen(({ state }) => this.#changed(state));
    execution.changes.accompany((state) => this.#parts.executions.following(state));
    await this.#takeUpAll();
    await this.#lookAround();
    this.#timer = setInterval(() => void this.#tick(), tickMs);
    this.poke();
  }

  /** There may be something to start. */
  poke(): void {
    if (this.#closed || this.#isLeaving) return;
    if (this.#claiming) {
      this.#claimsAgain = true;
      return;
    }
    this.#claiming = this.#claimAll();
  }

  /** Whoever ended a dispatch from outside says so here. */
  abandon(id: DispatchId): void {
    this.#parts.executions.abandon(id);
    this.poke();
  }

  /** Takes nothing new, because this worker leaves with its agents. */
  async leaving(): Promise<Leaving> {
    this.#isLeaving = true;
    await this.#claiming;
    const { running } = this.#parts.executions;
    return {
      work: running.map(({ dispatch }) => dispatch),
      letGo: async () => await DispatchExecutions.abandonAll(running),
    };
  }

  /** How many dispatches may be started now. */
  get room(): number {
    const { settings, executions, execution, leases } = this.#parts;
    if (this.#isLeaving || leases.isDraining) return 0;
    const slots = settings.slots - executions.running.length;
    const places = settings.maxAgents - execution.supervisor.runs.length;
    return Math.min(slots, places) - this.#reserved;
  }

  /** Claims up to so many dispatches by an operation that the caller commits, and executes what it got. */
  async claiming(
    limit: number,
    commit: (claim: Operation<'claimDispatches'>) => Promise<readonly StoredDispatch[]>,
  ): Promise<void> {
    const { clock } = this.#parts.execution;
    this.#reserved += limit;
    try {
      const until = instant(clock, this.#parts.settings.absence.leaseMs);
      const claim = { do: 'claimDispatches', limit, now: instant(clock), until } as const;
      for (const dispatch of await commit(claim)) this.#execute(dispatch);
    } finally {
      this.#reserved -= limit;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#listening?.[Symbol.dispose]();
    await this.#claiming;
    const { all } = this.#parts.executions;
    this.#countTime();
    await DispatchExecutions.abandonAll(all);
    await Promise.all(all.map(async (execution) => await this.#keepTime(execution)));
  }

  async #claimAll(): Promise<void> {
    do {
      this.#claimsAgain = false;
      try {
        await this.#claim();
      } catch (error) {
        this.#parts.execution.log(errorSentence(error));
      }
    } while (this.#claimsAgain && !this.#closed);
    this.#claiming = null;
  }

  async #claim(): Promise<void> {
    const { store, settings, execution, executions, idleAgents, contention } = this.#parts;
    const { rows } = await store.query('dispatches', { state: 'queued', own: true, limit: 200 });
    const queued = await mendWaits(store, rows, execution.clock.now());
    const at = instant(execution.clock);
    const due = queued.filter(({ notBefore }) => notBefore === undefined || notBefore <= at);
    if (due.length === 0) return;
    const { room } = this;
    if (settings.maxAgents <= execution.supervisor.runs.length) await idleAgents.makeRoom();
    if (room > 0) {
      await this.claiming(room, async (claim) => {
        const claimed = await store.commit({ operations: [claim] });
        return claimed.committed ? claimed.results[0] : [];
      });
    }
    const waiting = due.filter(({ id }) => !executions.has(id));
    const free = await holdForQuota(store, { queued, due: waiting, at });
    await contention.makeWay(free, () => this.poke());
  }

  /** Whatever of this worker's threads is under way and not executed; also what it has just taken over. */
  async #takeUpAll(): Promise<boolean> {
    const { store, executions } = this.#parts;
    let isAll = true;
    for (const state of ['running', 'waiting'] as const) {
      let cursor: string | undefined;
      do {
        const page = await store.query('dispatches', { state, own: true, ...given({ cursor }) });
        for (const dispatch of page.rows)
          if (!executions.has(dispatch.id)) isAll = (await this.takeUp(dispatch)) && isAll;
        cursor = page.next;
      } while (cursor !== undefined);
    }
    return isAll;
  }

  /** Goes on with work that was under way; false where somebody has its lease. */
  async takeUp(dispatch: StoredDispatch): Promise<boolean> {
    const { store, execution } = this.#parts;
    const { clock } = execution;
    const taken = await store.commit({
      operations: [
        {
          do: 'acquireLease',
          dispatchId: dispatch.id,
          now: instant(clock),
          until: instant(clock, this.#parts.settings.absence.leaseMs),
        },
      ],
    });
    // Refused: another worker has it, and executes it.
    if (taken.committed) this.#execute({ ...dispatch, lease: taken.results[0] });
    return taken.committed;
  }

  #execute(dispatch: StoredDispatch): void {
    const execution = new DispatchExecution(dispatch, this.#parts.execution, () => this.poke());
    this.#parts.executions.add(execution);
    void this.#afterwards(execution);
  }

  async #afterwards(execution: DispatchExecution): Promise<void> {
    try {
      await execution.done;
    } catch (error) {
      this.#parts.execution.log(`${execution.dispatch.id}: ${errorSentence(error)}`);
    }
    this.#parts.executions.delete(execution);
    this.poke();
  }

  #changed(state: ThreadState): void {
    const { executions, idleAgents } = this.#parts;
    executions.wake(state.thread.id);
    idleAgents.note(state);
    // A run that ended may have kept work out of its workspace.
    if (!state.run) this.poke();
  }

  async #tick(): Promise<void> {
    const { execution, executions, leases, idleAgents, parking, settings } = this.#parts;
    this.#countTime();
    // A few moves depend on the time alone.
    for (const each of executions.all) each.wake();
    try {
      this.#letGoIfCutOff();
      await leases.renewDue();
      await this.#comeBack();
      await idleAgents.endIdleFor(settings.idleTimeoutMs);
      await parking.parkDue();
    } catch (error) {
      execution.log(errorSentence(error));
    }
    this.poke();
  }

  /** Whoever cannot renew its lease does nothing more for its work: another worker may be at it. */
  #letGoIfCutOff(): void {
    const { deadline, execution, executions } = this.#parts;
    if (!deadline.isPast) return;
    if (!this.#isCutOff)
      execution.log(
        'the lease of this worker could not be renewed in time: its agents are stopped, and its work waits',
      );
    this.#isCutOff = true;
    for (const { dispatch } of executions.all) executions.abandon(dispatch.id);
  }

  async #comeBack(): Promise<void> {
    const { deadline, execution } = this.#parts;
    if (!this.#isCutOff || deadline.isPast) return;
    // Leases that were renewed just before run out first.
    this.#isCutOff = !(await this.#takeUpAll());
    if (!this.#isCutOff)
      execution.log('the lease of this worker is renewed: it goes on with what nobody has taken over');
  }

  #countTime(): void {
    const passedMs = this.#timePassed();
    for (const { leased } of this.#parts.executions.all) leased.addActiveTime(passedMs);
  }

  /** The time since the last tick; time in which nobody was awake is nobody's time. */
  #timePassed(): number {
    const { clock, log } = this.#parts.execution;
    const [at, wall] = [clock.monotonic(), clock.now()];
    const gap = at - this.#lastTick;
    const jump = wall - this.#lastWall - gap;
    this.#lastTick = at;
    this.#lastWall = wall;
    if (gap > sleptMs)
      log(
        `this machine or this worker slept for ${seconds(Math.max(gap, gap + jump))} s; no timer ran meanwhile`,
      );
    else if (Math.abs(jump) > sleptMs) log(`the clock jumped by ${seconds(jump)} s; timers use elapsed time`);
    return Math.min(gap, 2 * tickMs);
  }

  /** What a try has taken so far counts in the next life of this worker too. */
  async #keepTime({ dispatch, leased }: DispatchExecution): Promise<void> {
    try {
      if (dispatch.state === 'running') await leased.keepActiveTime();
    } catch (error) {
      this.#parts.execution.log(`${dispatch.id}: ${errorSentence(error)}`);
    }
  }

  /** The agents that a former life of this worker left. */
  async #lookAround(): Promise<void> {
    const { execution, executions, idleAgents } = this.#parts;
    for (const { threadId } of execution.supervisor.runs) {
      const state = await execution.changes.state(threadId);
      idleAgents.note(state);
      // A turn that no dispatch waits for was cancelled by a worker that did not live to interrupt it.
      if (!executions.isExecuting(threadId) && state.run && !isSettled(state.run.facts))
        execution.interruption.begin(threadId);
    }
  }
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}
