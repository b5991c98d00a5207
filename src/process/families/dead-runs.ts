import { RunMemory } from '../children/run-memory.js';
import { readProcess } from './process-table.js';
import { runMarker } from './run-marker.js';

/** Whether the runner lives that a marker names. */
export function isRunnerAlive(marker: string): boolean {
  const pid = Number.parseInt(marker, 10);
  const row = Number.isNaN(pid) ? null : readProcess(pid);
  return row !== null && !row.state.startsWith('Z') && runMarker(row.identity).value === marker;
}

/** Removes the control groups that runners left which were killed. */
export function removeDeadGroups(): void {
  RunMemory.sweep(isRunnerAlive);
}
