import { openSync, renameSync, statSync } from 'node:fs';

const largestLog = 10 * 1024 * 1024;

/** Opens the log of a worker in the background; one that has grown large is put aside first, in place of the one before. */
export function openWorkerLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > largestLog) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}
