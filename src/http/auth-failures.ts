const windowMs = 60_000;
const allowed = 10;
const mostAddresses = 1000;

/**
 * Counts wrong tokens and codes per address. A right token always passes:
 * on loopback everybody shares one address, and a stranger must not be able to lock the owner out.
 */
export class AuthFailures {
  readonly #now: () => number;
  readonly #counts = new Map<string, { since: number; failures: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Notes a failure; gives the seconds to wait once there were too many. */
  note(address: string): number | null {
    const now = this.#now();
    const count = this.#counts.get(address);
    if (!count || now - count.since >= windowMs) {
      if (this.#counts.size >= mostAddresses) this.#counts.clear();
      this.#counts.set(address, { since: now, failures: 1 });
      return null;
    }
    count.failures += 1;
    return count.failures > allowed ? Math.ceil((count.since + windowMs - now) / 1000) : null;
  }
}
