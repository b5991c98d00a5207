import type { Store } from '../../store/store.js';
import { type Clock, instant } from '../clock.js';
import type { DispatchExecution } from './dispatch-execution.js';
import type { DispatchExecutions } from './dispatch-executions.js';

/** How long a lease lasts that nobody renews. */
export const leaseMs = 30_000;
const renewMs = 10_000;

export interface LeaseRenewalParts {
  readonly store: Store;
  readonly executions: DispatchExecutions;
  readonly clock: Clock;
}

/** Keeps the leases of what this worker executes, and with each the time that its try has taken. */
export class LeaseRenewal {
  readonly #parts: LeaseRenewalParts;
  #last: number;

  constructor(parts: LeaseRenewalParts) {
    this.#parts = parts;
    this.#last = parts.clock.monotonic();
  }

  async renewDue(): Promise<void> {
    const { store, executions, clock } = this.#parts;
    const now = clock.monotonic();
    if (now - this.#last < renewMs) return;
    this.#last = now;
    await store.commit({ operations: [{ do: 'beatWorker', at: instant(clock) }] });
    await Promise.all(executions.all.map(async (execution) => await this.#renew(execution)));
  }

  async #renew(execution: DispatchExecution): Promise<void> {
    const { store, clock } = this.#parts;
    const { id, lease } = execution.dispatch;
    if (!lease) return;
    const until = instant(clock, leaseMs);
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
