const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago something was, in one unit: `8s`, `5m`, `3h`, `2d`. */
export function age(at: string, now: number): string {
  const passed = Math.max(0, now - Date.parse(at));
  if (passed < minute) return `${Math.floor(passed / 1000)}s`;
  if (passed < hour) return `${Math.floor(passed / minute)}m`;
  if (passed < day) return `${Math.floor(passed / hour)}h`;
  return `${Math.floor(passed / day)}d`;
}

/** How long something took: `0.4s`, `12s`, `2m 5s`, `1h 4m`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 10_000) return `${(milliseconds / 1000).toFixed(1)}s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
  return `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`;
}

/** How long it is until then: `now`, or as an age. */
export function until(at: string, now: number): string {
  const left = Date.parse(at) - now;
  return left <= 0 ? 'now' : `in ${duration(left)}`;
}
