import { isRunnerAlive, removeDeadGroups } from '../process/families/dead-runs.js';
import { killLeftovers } from '../process/families/leftovers.js';
import { ProcessFamily } from '../process/families/process-family.js';
import { environmentValues } from '../process/families/process-table.js';
import { runMarkerName } from '../process/families/run-marker.js';

/**
 * Ends what runners that are dead by now have left: the agent itself dies with its runner, but the commands of
 * its tools live in sessions of their own and survive a SIGKILL. A reboot leaves no strays.
 */
export async function sweepDeadRuns(): Promise<void> {
  for (const value of environmentValues(runMarkerName)) {
    if (Number.isNaN(Number.parseInt(value, 10)) || isRunnerAlive(value)) continue;
    const marker = { name: runMarkerName, value };
    await killLeftovers(new ProcessFamily({ marker }), { settleMs: 0, killMs: 2000 });
  }
  removeDeadGroups();
}
