import { isSettled } from '../../domain/run/run-facts.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { given } from '../../protocol/given.js';
import type { DispatchId, ThreadId } from '../../protocol/id.js';
import type { Operation } from '../../store/operation.js';
import type { Store } from '../../store/store.js';
import type { StoredDispatch } from '../../store/stored-dispatch.js';
import type { Refusal } from '../../store/unit.js';
import { instant } from '../clock.js';
import type { WorkerSettings } from '../host-environment.js';
import type { IdleAgents } from '../runs/idle-agents.js';
import type { Parking } from '../runs/parking.js';
import type { ThreadState } from '../threads/thread-state.js';
import type { WorkerDeadline } from '../workers/worker-deadline.js';
import { DispatchExecution, type DispatchExecutionParts } from './dispatch-execution.js';
import type { DispatchExecutions } from './dispatch-executions.js';
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
  /** How often all work was let go. */
  #lettingsGo = 0;
  /** Ticks do not wait for each other, so that no heartbeat does. */
  #isComingBack = false;
  /** Work under way that nobody executed when it was last looked for. */
  #left: ReadonlySet<DispatchId> = new Set();
  #lookedAt: number;
  #lastTick: number;
  #lastWall: number;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    const { clock } = parts.execution;
    this.#lastTick = clock.monotonic();
    this.#lookedAt = this.#lastTick;
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
    const { executions } = this.#parts;
    return {
      work: executions.running.map(({ dispatch }) => dispatch),
      letGo: async () => await executions.abandonAll(),
    };
  }

  /** How many dispatches may be started now. */
  get room(): number {
    const { settings, executions, execution, leases, deadline } = this.#parts;
    // Whatever is started while the deadline is past is stopped at once; the next heartbeat renews it.
    if (this.#isLeaving || leases.isDraining || this.#isCutOff || deadline.isPast) return 0;
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
    const { executions } = this.#parts;
    const { all } = executions;
    this.#countTime();
    await executions.abandonAll();
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

  async #takeUpAll(): Promise<boolean> {
    let isAll = true;
    for await (const dispatch of this.#leftAlone()) isAll = (await this.takeUp(dispatch)) && isAll;
    return isAll;
  }

  /** Whatever of this worker's threads is under way and not executed; also what it has just taken over. */
  async *#leftAlone(): AsyncGenerator<StoredDispatch> {
    const { store, executions } = this.#parts;
    for (const state of ['running', 'waiting'] as const) {
      let cursor: string | undefined;
      do {
        const page = await store.query('dispatches', { state, own: true, ...given({ cursor }) });
        for (const dispatch of page.rows) if (!executions.has(dispatch.id)) yield dispatch;
        cursor = page.next;
      } while (cursor !== undefined);
    }
  }

  /**
   * Takes up what a fault has left alone, such as a database that was away just when work was taken over: nothing else would look
   * for it before the next start. Only what nobody executed at the look before either; what is being claimed is not left alone.
   */
  async #takeUpLeft(): Promise<void> {
    const { execution, settings, deadline } = this.#parts;
    const now = execution.clock.monotonic();
    const { leaseMs } = settings.absence;
    const isAway = () => this.#closed || this.#isLeaving || this.#isCutOff || deadline.isPast;
    const mayTakeUp = () => !isAway() && this.#reserved === 0;
    if (!mayTakeUp() || now - this.#lookedAt < leaseMs) return;
    this.#lookedAt = now;
    const left = new Set<DispatchId>();
    for await (const dispatch of this.#leftAlone()) {
      if (!mayTakeUp()) return;
      if (this.#left.has(dispatch.id)) {
        execution.log(`${dispatch.id}: nobody went on with it, so it is taken up again`);
        await this.takeUp(dispatch);
      } else left.add(dispatch.id);
    }
    this.#left = left;
  }

  /** Goes on with work that was under way, where it still is; false where somebody has its lease. */
  async takeUp({ id }: StoredDispatch): Promise<boolean> {
    const { store, execution, executions } = this.#parts;
    const { clock } = execution;
    const taken = await store.commit({
      operations: [
        {
          do: 'acquireLease',
          dispatchId: id,
          now: instant(clock),
          until: instant(clock, this.#parts.settings.absence.leaseMs),
        },
      ],
    });
    if (!taken.committed) return !isUnderWay(taken.refusal);
    // As it is now that nobody else writes it: by what was read before, a try that has begun since would begin again.
    const dispatch = await store.query('dispatch', { id });
    if (dispatch && !executions.has(id)) this.#execute({ ...dispatch, lease: taken.results[0] });
    return true;
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
      await this.#takeUpLeft();
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
    this.#lettingsGo += 1;
    for (const { dispatch } of executions.all) executions.abandon(dispatch.id);
  }

  async #comeBack(): Promise<void> {
    const { deadline, execution } = this.#parts;
    if (!this.#isCutOff || deadline.isPast || this.#isComingBack) return;
    this.#isComingBack = true;
    const lettingsGo = this.#lettingsGo;
    try {
      // Leases that were renewed just before run out first; and what was let go again in the meantime is nobody's.
      this.#isCutOff = !(await this.#takeUpAll()) || lettingsGo !== this.#lettingsGo;
    } finally {
      this.#isComingBack = false;
    }
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

/** Whether a lease was refused because somebody else has it: what has ended, or waits for another try, is nobody's. */
function isUnderWay(refusal: Refusal): boolean {
  if (refusal.because !== 'condition' || !('dispatch' in refusal.current)) return true;
  const { state } = refusal.current.dispatch;
  return state === 'running' || state === 'waiting';
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}
