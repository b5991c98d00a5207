import { lineage } from '../../process/families/lineage.js';
import type { ProcessKey } from '../../process/families/process-key.js';
import { readProcesses } from '../../process/families/process-table.js';
import { connectionOwners, type LoopbackConnection } from '../../process/families/socket-owner.js';

/**
 * The processes at the other end of a loopback connection, with those that started them. Who started a process is what the
 * kernel says, unlike a variable of its environment. None where there is no /proc (macOS).
 */
export function callingProcesses(connection: LoopbackConnection): ProcessKey[] {
  const owners = connectionOwners(connection);
  if (!owners || owners.size === 0) return [];
  const rows = readProcesses();
  return [...owners].flatMap((pid) => lineage(rows, pid).map(({ identity }) => identity));
}
