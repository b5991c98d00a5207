import { MarkedFamily } from '../process/marked-family.js';
import { runMarkerName } from '../process/run-marker.js';
import { connectionOwners, holdsSocket, type LoopbackConnection, otherEnd } from '../process/socket-owner.js';

const family = new MarkedFamily(runMarkerName);

/**
 * Whether the process behind a loopback connection was started, directly or not, by one of our runners.
 * A guard against an agent that calls our API as if it were its user, not a wall: it cannot see an agent that sheds
 * the marker and its parents before it calls, or that has a service, a container or another user call for it. Where
 * there is no /proc (macOS) the answer is always false.
 */
export function isAgentCaller(connection: LoopbackConnection): boolean {
  const agents = family.look();
  if (agents.size === 0) return false;
  const end = otherEnd(connection);
  if (end === null) return false;
  // Who asks and hangs up at once is not to be found, and waits for no answer.
  if (end === 'closed') return true;
  const holds = [...agents].map((pid) => holdsSocket(pid, end));
  if (holds.includes(true)) return true;
  // An agent's process that hides its files is suspected only if nobody else is seen to hold the connection.
  return holds.includes(null) && connectionOwners(connection)?.size === 0;
}
