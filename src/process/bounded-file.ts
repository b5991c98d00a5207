import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { errnoOf } from './errno.js';

/** A file's text, or what is wrong with it. */
export type BoundedText = { ok: true; text: string } | { ok: false; missing: boolean; error: string };

/** How a file is read. */
export type BoundedReading = {
  limit: number;
  followLink: boolean;
  /** Looks at the file once it is open, before anything is read; gives what is wrong with it, or null. */
  check?: (opened: Stats) => string | null;
};

/**
 * Reads a file that a hostile agent or repository may have put there: only a regular file, never more than `limit`
 * bytes, and never waiting, as a FIFO would make us do. A link is followed only where that is asked for.
 */
export function readBoundedFile(path: string, { limit, followLink, check }: BoundedReading): BoundedText {
  let file: number;
  try {
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | (followLink ? 0 : constants.O_NOFOLLOW);
    file = openSync(path, flags);
  } catch (error) {
    const code = errnoOf(error) ?? 'unknown';
    return { ok: false, missing: code === 'ENOENT', error: `it cannot be opened (${code})` };
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return { ok: false, missing: false, error: 'it is not a regular file' };
    if (stat.size > limit) return { ok: false, missing: false, error: `it is larger than ${limit} bytes` };
    const complaint = check?.(stat) ?? null;
    if (complaint !== null) return { ok: false, missing: false, error: complaint };
    const buffer = Buffer.alloc(stat.size);
    const length = readSync(file, buffer, 0, buffer.length, 0);
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, length)) };
  } catch {
    return { ok: false, missing: false, error: 'it is not valid UTF-8' };
  } finally {
    closeSync(file);
  }
}
