/**
 * A clock that stands still where the machine's was set back, so that what an agent did later never seems to be earlier: evidence is
 * weighed by its time, and a turn that ended before it began would count as open for as long as the clock was set back.
 */
export function forwardClock(now: () => number): () => number {
  let latest = Number.NEGATIVE_INFINITY;
  return () => {
    latest = Math.max(latest, now());
    return latest;
  };
}
