import type { ProcessKey } from './process-key.js';
import { readProcess } from './process-table.js';

/** Which process this is. */
export function ownIdentity(): ProcessKey {
  const row = readProcess(process.pid);
  if (!row) throw new Error('This process is not in the process table.');
  return row.identity;
}
