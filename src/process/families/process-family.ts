import { lineage } from './lineage.js';
import type { ProcessKey } from './process-key.js';
import type { EnvironmentMarker, ProcessRow } from './process-source.js';
import { markedPids, readProcesses } from './process-table.js';

/**
 * Where a family starts: at one process, at everything with a marker, or at both.
 * `leadsGroup` says that the root led a group while we watched, so that the group is known even if the root is
 * dead; without it a number from the past could be another group's by now.
 */
export type FamilyOrigin = {
  root?: ProcessKey | undefined;
  leadsGroup?: boolean;
  marker?: EnvironmentMarker | undefined;
};

/**
 * The processes that belong to one run, remembered over several looks.
 * Memory is needed because a process whose parent dies becomes a child of init: what connected it to the run
 * shows only before. This process and its ancestors never belong, even when they carry the marker.
 */
export class ProcessFamily {
  readonly #marker: EnvironmentMarker | undefined;
  readonly #seen = new Set<string>();
  // Leaders of sessions and groups by their number, which the system does not hand out again while any
  // process is left in the session or group.
  readonly #leaders = new Map<number, string>();

  constructor(origin: FamilyOrigin) {
    this.#marker = origin.marker;
    if (origin.root === undefined) return;
    this.#seen.add(keyOf(origin.root));
    if (origin.leadsGroup === true) this.#leaders.set(origin.root.pid, keyOf(origin.root));
  }

  /** The living members now. */
  look(): ProcessRow[] {
    const rows = readProcesses();
    const marked = this.#marker === undefined ? new Set<number>() : markedPids(this.#marker);
    const ownLine = new Set(lineage(rows, process.pid).map((row) => row.pid));
    const strangers = new Set(rows.filter((row) => !ownLine.has(row.pid)));
    const members = new Map<number, ProcessRow>();
    this.#forgetReusedNumbers(rows);

    for (let before = -1; before !== members.size; ) {
      before = members.size;
      for (const row of strangers) {
        if (!marked.has(row.pid) && !members.has(row.ppid) && !this.#knows(row)) continue;
        strangers.delete(row);
        members.set(row.pid, row);
        this.#remember(row);
      }
    }
    return [...members.values()];
  }

  #knows(row: ProcessRow): boolean {
    if (this.#seen.has(keyOf(row.identity))) return true;
    return this.#leaders.has(row.pgid) || (row.sid !== null && this.#leaders.has(row.sid));
  }

  #remember(row: ProcessRow): void {
    this.#seen.add(keyOf(row.identity));
    if (row.pid === row.pgid || row.pid === row.sid) this.#leaders.set(row.pid, keyOf(row.identity));
  }

  #forgetReusedNumbers(rows: readonly ProcessRow[]): void {
    for (const row of rows) {
      const leader = this.#leaders.get(row.pid);
      if (leader !== undefined && leader !== keyOf(row.identity)) this.#leaders.delete(row.pid);
    }
  }
}

function keyOf(identity: ProcessKey): string {
  return `${identity.pid} ${identity.startTime} ${identity.bootId}`;
}
