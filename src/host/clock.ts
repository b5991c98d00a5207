/** The time as the worker knows it. */
export interface Clock {
  /** Milliseconds since 1970 by the machine's clock, which may be set. */
  now(): number;
  /** Milliseconds that go on whatever happens to the clock. */
  monotonic(): number;
}

/** The present moment as it is stored, or one that lies some milliseconds away. */
export function instant(clock: Pick<Clock, 'now'>, laterMs = 0): string {
  return new Date(clock.now() + laterMs).toISOString();
}
