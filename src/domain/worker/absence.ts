/** What one worker has seen of another, by its own clock: a sign of life, and since when there was no other. */
export interface Sight {
  /** The life and the heartbeat of the other, as they stand in the store; whatever differs is a sign of life. */
  readonly sign: string;
  /** By the clock of the one who looks, which nobody sets. */
  readonly since: number;
}

/** How long each of the things takes that must be over before somebody else may go on with a worker's work. */
export interface AbsenceTimes {
  /** How long a lease lasts that nobody renews. */
  readonly leaseMs: number;
  /** How long after the last renewal an agent may go on. */
  readonly deadlineMs: number;
  /** For clocks that run at different speeds, and for agents that take their time to end. */
  readonly marginMs: number;
}

/** How long a worker must have shown no sign of life before another one may take over what it had. */
export function goneAfter({ leaseMs, deadlineMs, marginMs }: AbsenceTimes): number {
  return leaseMs + deadlineMs + marginMs;
}

/**
 * What is known after another look. Times of two machines are never compared: a clock that is wrong by an hour would have
 * somebody take over from a worker that lives.
 */
export function seen(before: Sight | undefined, { sign, now }: { sign: string; now: number }): Sight {
  return before?.sign === sign ? before : { sign, since: now };
}

/** Whether a worker is gone, by what it said itself about how long that takes; one that said nothing never is. */
export function isGone(
  sight: Sight,
  { goneAfterMs, now }: { readonly goneAfterMs: number | undefined; readonly now: number },
): boolean {
  return goneAfterMs !== undefined && now - sight.since >= goneAfterMs;
}
