import { createHash } from 'node:crypto';

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const tailLength = 14;

/** The end of a message's id, by which it is found again in what was saved. */
export function messageTail(run: string, uuid: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([run, uuid]))
    .digest();
  return [...digest.subarray(0, tailLength)].map((byte) => letters[byte % letters.length]).join('');
}

/**
 * The id of a message, in the form of OpenCode's own: it compares ids to see which of two messages is newer, so that an
 * id begins with the time (milliseconds, and a count of 4096 in each).
 */
export function messageId(message: {
  readonly run: string;
  readonly uuid: string;
  readonly now: number;
}): string {
  const time = (BigInt(message.now) * 4096n + 1n) & 0xffff_ffff_ffffn;
  return `msg_${time.toString(16).padStart(12, '0')}${messageTail(message.run, message.uuid)}`;
}
