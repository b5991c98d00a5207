/**
 * Names one process for ever. A pid alone is handed out again; with the start time and the boot it is unique.
 * `startTime` is opaque: clock ticks since boot on Linux, the start date to the second on macOS.
 */
export type ProcessKey = { pid: number; startTime: string; bootId: string };

/** Whether two identities name the same process. */
export function sameProcess(a: ProcessKey, b: ProcessKey): boolean {
  return a.pid === b.pid && a.startTime === b.startTime && a.bootId === b.bootId;
}
