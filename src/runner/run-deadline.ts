// How long an agent that is interrupted has to end by itself before everything of it is killed.
const politeMs = 10_000;

/** What a thread shows whose agent was stopped because its worker was gone, or could not reach the database. */
export const cutOffWarning =
  'The worker did not renew its lease in time, so the agent was stopped: another worker may take the work over.';

/** What is to be done about an agent now. */
export type DeadlineStep = 'go_on' | 'interrupt' | 'wait' | 'kill';

/**
 * Until when an agent may go on, by the time since the machine started, sleep included; worker and runner read the same
 * clock, so nothing that is late on its way prolongs anything. What is past stays past: somebody else may have the work.
 */
export class RunDeadline {
  #until: number | null;
  #passedAt: number | null = null;
  #isKilled = false;

  constructor(until: number | null) {
    this.#until = until;
  }

  /** The worker holds its lease for longer. */
  renew(until: number): void {
    if (this.#passedAt === null) this.#until = Math.max(until, this.#until ?? 0);
  }

  /** Each of interrupt and kill is said once. */
  look(now: number): DeadlineStep {
    if (this.#passedAt !== null) {
      if (this.#isKilled || now - this.#passedAt < politeMs) return 'wait';
      this.#isKilled = true;
      return 'kill';
    }
    if (this.#until === null || now < this.#until) return 'go_on';
    this.#passedAt = now;
    return 'interrupt';
  }
}
