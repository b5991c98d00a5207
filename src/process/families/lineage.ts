import type { ProcessRow } from './process-source.js';

/** The row of a pid, of its parent, and so on up to the first process, among these. */
export function lineage(rows: readonly ProcessRow[], pid: number): ProcessRow[] {
  const byPid = new Map(rows.map((row) => [row.pid, row]));
  return lineFrom(pid, (each) => byPid.get(each) ?? null);
}

/** The same, one row after the other. */
export function lineFrom(pid: number, rowOf: (pid: number) => ProcessRow | null): ProcessRow[] {
  const line = new Map<number, ProcessRow>();
  for (let row = rowOf(pid); row !== null && !line.has(row.pid); row = rowOf(row.ppid))
    line.set(row.pid, row);
  return [...line.values()];
}
