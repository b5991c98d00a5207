import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { errnoOf } from './errno.js';

/** What a file holds, or what is wrong with it. */
type Bounded<Content> = ({ ok: true } & Content) | { ok: false; missing: boolean; error: string };
export type BoundedText = Bounded<{ text: string }>;
export type BoundedBytes = Bounded<{ bytes: Buffer }>;

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
export function readBoundedBytes(path: string, { limit, followLink, check }: BoundedReading): BoundedBytes {
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
    return { ok: true, bytes: buffer.subarray(0, readSync(file, buffer, 0, buffer.length, 0)) };
  } catch (error) {
    return { ok: false, missing: false, error: `it cannot be read (${errnoOf(error) ?? 'unknown'})` };
  } finally {
    closeSync(file);
  }
}

/** The same as text. */
export function readBoundedFile(path: string, reading: BoundedReading): BoundedText {
  const read = readBoundedBytes(path, reading);
  if (!read.ok) return read;
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(read.bytes) };
  } catch {
    return { ok: false, missing: false, error: 'it is not valid UTF-8' };
  }
}

/** The first bytes of a file as text, however long it is; undefined when there is none, or it is a link or no file. */
export function readFileBeginning(path: string, bytes: number): string | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return undefined;
    const buffer = Buffer.alloc(Math.min(bytes, stat.size));
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, 0));
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** The last bytes of a file as text, however long it is; undefined when there is none, or it is no regular file. */
export function readFileEnd(path: string, bytes: number): string | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return undefined;
    const buffer = Buffer.alloc(Math.min(bytes, stat.size));
    const read = readSync(file, buffer, 0, buffer.length, Math.max(0, stat.size - bytes));
    return buffer.toString('utf8', 0, read);
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}
