import { type AbsenceTimes, goneAfter } from '../../domain/worker/absence.js';
import type { Store } from '../../store/store.js';
import type { WorkerProfile } from '../../store/stored-worker.js';
import { type Clock, instant } from '../clock.js';
import type { WorkerDeadline } from '../workers/worker-deadline.js';
import type { DispatchExecution } from './dispatch-execution.js';
import type { DispatchExecutions } from './dispatch-executions.js';

const longestRenewMs = 10_000;

export interface LeaseRenewalParts {
  readonly store: Store;
  readonly executions: DispatchExecutions;
  readonly clock: Clock;
  readonly deadline: WorkerDeadline;
  readonly absence: AbsenceTimes;
  /** What this worker says about itself. */
  readonly profile: Omit<WorkerProfile, 'goneAfterMs'>;
}

/** Keeps the leases of what this worker executes, and with each the time that its try has taken. */
export class LeaseRenewal {
  readonly #parts: LeaseRenewalParts;
  #last: number;
  #beating: Promise<void> | null = null;
  #isDraining = false;

  constructor(parts: LeaseRenewalParts) {
    this.#parts = parts;
    this.#last = parts.clock.monotonic();
  }

  async renewDue(): Promise<void> {
    const { executions, clock, absence } = this.#parts;
    const now = clock.monotonic();
    // Several may be missed before anything ends.
    if (
      this.#beating !== null ||
      now - this.#last < Math.min(longestRenewMs, absence.leaseMs / 3, absence.deadlineMs / 4)
    )
      return;
    this.#last = now;
    await this.beat();
    await Promise.all(executions.all.map(async (execution) => await this.#renew(execution)));
  }

  /** Says that this worker lives, and lets its agents go on for as long as the others wait for the next time. */
  async beat(): Promise<void> {
    // One after the other: each counts from the moment when it was asked for.
    const before = this.#beating ?? Promise.resolve();
    const beating = before.catch(() => {}).then(async () => await this.#beatOnce());
    this.#beating = beating;
    try {
      await beating;
    } finally {
      if (this.#beating === beating) this.#beating = null;
    }
  }

  async #beatOnce(): Promise<void> {
    const { store, clock, deadline, absence, profile } = this.#parts;
    const askedAt = deadline.now;
    const mayBeTakenOver = store.isShared && deadline.isKept;
    const said = { ...profile, ...(mayBeTakenOver && { goneAfterMs: goneAfter(absence) }) };
    const reply = await store.beat({ at: instant(clock), profile: said });
    if (reply === null) return;
    deadline.renew(askedAt);
    this.#isDraining = reply.isDraining;
  }

  /** Whether this worker takes no new work, as of its last heartbeat. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  async #renew(execution: DispatchExecution): Promise<void> {
    const { store, clock, absence } = this.#parts;
    const { id, lease } = execution.dispatch;
    if (!lease) return;
    const until = instant(clock, absence.leaseMs);
    const renewed = await store.commit({
      operations: [
        { do: 'renewLease', dispatchId: id, epoch: lease.epoch, until },
        ...execution.leased.activeTime,
      ],
    });
    // Fenced: somebody else executes it now, or it has ended.
    if (!renewed.committed) execution.abandon();
  }
}
