import type { ProcessKey } from './process-key.js';
import { findProcess, readProcess } from './process-table.js';

/** Signals exactly this process; false when it is gone, is somebody else by now, or may not be signalled. */
export function signalProcess(identity: ProcessKey, signal: NodeJS.Signals): boolean {
  // Nothing is awaited between the look and the signal; Node has no pidfd that would make them one.
  return findProcess(identity) !== null && send(identity.pid, signal);
}

/** Signals the group that this process leads; the process alone when it leads none, or one that we are in. */
export function signalGroup(leader: ProcessKey, signal: NodeJS.Signals): boolean {
  const row = findProcess(leader);
  if (row === null) return false;
  const leadsOthers = row.pgid === row.pid && row.pgid !== readProcess(process.pid)?.pgid;
  return send(leadsOthers ? -row.pid : row.pid, signal);
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
