import { nameUuid } from '../process/name-uuid.js';

/**
 * The uuid under which a message goes into an agent, by which it is found again in the saved session. The same message
 * has another one in every run: Claude Code drops a message whose uuid it has seen, also in an earlier life of the
 * session, and then no turn follows (measured).
 */
export function messageUuid(run: string, uuid: string): string {
  return nameUuid(`${run} ${uuid}`, 4);
}
