import { MarkedFamily } from '../../process/families/marked-family.js';
import { runMarkerName } from '../../process/families/run-marker.js';
import {
  connectionOwners,
  type LoopbackConnection,
  otherEnds,
  socketsOf,
} from '../../process/families/socket-owner.js';

const family = new MarkedFamily(runMarkerName);

/**
 * Whether the process behind each loopback connection was started, directly or not, by one of our runners.
 * A guard against an agent that calls our API as if it were its user, not a wall: it cannot see an agent that sheds
 * the marker and its parents before it calls, or that has a service, a container or another user call for it. Where
 * there is no /proc (macOS) the answer is always false. With 60 agents one look takes 27 ms, for one connection or for
 * three hundred.
 */
export function agentCallers(connections: readonly LoopbackConnection[]): boolean[] {
  const agents = family.look();
  if (agents.size === 0) return connections.map(() => false);
  const ends = otherEnds(connections);
  const held = new Set<string>();
  let isAnyHidden = false;
  for (const pid of agents) {
    const sockets = socketsOf(pid);
    if (sockets) for (const socket of sockets) held.add(socket);
    else isAnyHidden = true;
  }
  return connections.map((connection, index) => {
    const end = ends[index] ?? null;
    if (end === null) return false;
    // Who asks and hangs up at once is not to be found, and waits for no answer.
    if (end === 'closed') return true;
    if ([...end].some((socket) => held.has(socket))) return true;
    // An agent's process that hides its files is suspected only if nobody else is seen to hold the connection.
    return isAnyHidden && connectionOwners(connection)?.size === 0;
  });
}
