import { killLeftovers } from '../process/leftovers.js';
import { ProcessFamily } from '../process/process-family.js';
import type { EnvironmentMarker } from '../process/process-source.js';
import { environmentValues, readProcess } from '../process/process-table.js';

const name = 'HANDRAISE_RUN';

/** What everything that this runner starts inherits: which runner it belongs to. */
export function runMarker(pid: number): EnvironmentMarker {
  return { name, value: ownerOf(pid) ?? `${pid}.unknown` };
}

/**
 * Ends what runners that are dead by now have left: the agent itself dies with its runner, but the commands of
 * its tools live in sessions of their own and survive a SIGKILL.
 */
export async function sweepDeadRuns(): Promise<void> {
  for (const value of environmentValues(name)) {
    const pid = Number.parseInt(value, 10);
    if (Number.isNaN(pid) || value.endsWith('.unknown') || ownerOf(pid) === value) continue;
    await killLeftovers(new ProcessFamily({ marker: { name, value } }), { settleMs: 0, killMs: 2000 });
  }
}

/** A runner by pid and start time, because a pid alone is handed out again; a reboot leaves no strays. */
function ownerOf(pid: number): string | null {
  const row = readProcess(pid);
  return row && !row.state.startsWith('Z') ? `${pid}.${row.identity.startTime.replaceAll(/\W/g, '-')}` : null;
}
