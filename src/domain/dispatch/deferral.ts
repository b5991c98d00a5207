import type { Attempt } from '../../protocol/dispatch.js';

const longestMs = 8 * 24 * 60 * 60_000;

/** Until when work waits for a usage limit; a runtime's word for its end counts for a week and a day at most. */
export function deferredUntil(
  { until, delayMs }: { readonly until?: string; readonly delayMs: number },
  now: number,
): string {
  const known = until === undefined ? now : Math.min(Date.parse(until), now + longestMs);
  return new Date(Math.max(known, now) + delayMs).toISOString();
}

/**
 * The moment that a wait ends once the clock was put back, or null where nothing changes. A wait that was counted from the end of a
 * try is counted from now; the end of a limit is a moment of the calendar, and a clock that is right again knows it.
 */
export function mendedWait(
  { notBefore, attempts }: { readonly notBefore?: string | undefined; readonly attempts: readonly Attempt[] },
  now: number,
): string | null {
  if (notBefore === undefined) return null;
  const { endedAt, outcome } = attempts.at(-1) ?? {};
  if (endedAt === undefined || Date.parse(endedAt) <= now || outcome?.retryAt !== undefined) return null;
  // What was mended lies before the try's end by that other clock.
  const waitMs = Date.parse(notBefore) - Date.parse(endedAt);
  return waitMs < 0 ? null : new Date(now + waitMs).toISOString();
}
