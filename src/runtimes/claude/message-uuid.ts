import { createHash } from 'node:crypto';

/**
 * The uuid under which a message goes into Claude Code. It drops a message whose uuid it has seen, also in an earlier
 * life of the session, and then no turn follows (measured); so the same message has another one in every run, and
 * whoever knows the run can find it in the saved session.
 */
export function messageUuid(run: string, uuid: string): string {
  const hex = createHash('sha256').update(`${run} ${uuid}`).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
