const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago something was, in one unit: `8 s`, `5 min`, `3 h`, `2 d`. */
export function age(at: string, now: number): string {
  const passed = Math.max(0, now - Date.parse(at));
  if (passed < minute) return `${Math.floor(passed / 1000)} s`;
  if (passed < hour) return `${Math.floor(passed / minute)} min`;
  if (passed < day) return `${Math.floor(passed / hour)} h`;
  return `${Math.floor(passed / day)} d`;
}

/** How long something took: `0.4 s`, `12 s`, `2 min 5 s`, `1 h 4 min`. */
export function duration(given: number): string {
  // A clock that was set back makes less than nothing of it.
  const milliseconds = Math.max(0, given);
  if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** How long it is until then: `now`, or as a duration. */
export function until(at: string, now: number): string {
  const left = Date.parse(at) - now;
  return left <= 0 ? 'now' : `in ${duration(left)}`;
}
