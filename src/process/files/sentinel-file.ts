import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type BoundedText, readBoundedFile } from './bounded-file.js';
import { errnoOf } from './errno.js';

/** Whether something is where the file would be; a folder that is none counts, because the reader has to refuse it. */
export function isSentinelThere(path: string): boolean {
  try {
    const folder = lstatSync(dirname(path), { throwIfNoEntry: false });
    if (!folder?.isDirectory()) return folder !== undefined;
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/**
 * A file in a folder of the workspace whose being there is a signal. Whoever writes it may be hostile: no link is followed,
 * not even one that is put in place of the folder while we look; nothing blocks; and never more is read than the limit.
 */
export class SentinelFile {
  readonly #folder: string;
  readonly #name: string;
  readonly #limit: number;
  #leftOver: Stats | undefined;

  constructor(path: string, { limit }: { limit: number }) {
    this.#folder = dirname(path);
    this.#name = basename(path);
    this.#limit = limit;
  }

  /** Removes what is there; what cannot be removed is remembered, so that it is never taken for a signal. */
  clear(): void {
    this.#leftOver = undefined;
    this.#inFolder((folder) => {
      const path = join(folder, this.#name);
      try {
        rmSync(path, { recursive: true, force: true });
      } catch {
        this.#leftOver = lstatSync(path, { throwIfNoEntry: false });
      }
    });
  }

  /** What is in the file, or why nothing is read from it; null when it is not there. */
  read(): BoundedText | null {
    const reading = this.#inFolder((folder) => {
      const path = join(folder, this.#name);
      const there = lstatSync(path, { throwIfNoEntry: false });
      if (!there || isSame(there, this.#leftOver)) return null;
      return readBoundedFile(path, { limit: this.#limit, followLink: false, check: whyElsewhere });
    });
    if (typeof reading === 'string') return this.#refused(reading);
    return reading && !reading.ok && reading.missing ? null : reading;
  }

  /** Keeps a file that is no signal, under another name, in place of the one that was kept before. */
  renameAsInvalid(): void {
    this.#inFolder((folder) => {
      const invalid = join(folder, this.#name.replace(/(\.\w+)?$/, '.invalid$1'));
      // What was kept may be a folder, whose place no file can take.
      rmSync(invalid, { recursive: true, force: true });
      renameSync(join(folder, this.#name), invalid);
    });
  }

  /**
   * Does something in the folder, held open so that it cannot be swapped for a link; null when there is none, and the
   * system's code when it cannot be done.
   */
  #inFolder<Result>(act: (folder: string) => Result): Result | string | null {
    let held: number | undefined;
    try {
      held = openSync(this.#folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
      // Node has no openat; a path through the open descriptor is the same thing, where there is a /proc.
      const through = `/proc/self/fd/${held}`;
      return act(existsSync(through) ? through : this.#folder);
    } catch (error) {
      const code = errnoOf(error) ?? 'unknown';
      return code === 'ENOENT' ? null : code;
    } finally {
      if (held !== undefined) closeSync(held);
    }
  }

  #refused(code: string): BoundedText {
    const isNoFolder = code === 'ENOTDIR' || code === 'ELOOP';
    const error = isNoFolder
      ? `${basename(this.#folder)} is not a folder of the workspace, so it is not followed`
      : `it cannot be looked at (${code})`;
    return { ok: false, missing: false, error };
  }
}

function whyElsewhere({ nlink }: Stats): string | null {
  return nlink > 1 ? 'it is a hard link to a file elsewhere' : null;
}

function isSame(one: Stats, other: Stats | undefined): boolean {
  return one.dev === other?.dev && one.ino === other.ino && one.mtimeMs === other.mtimeMs;
}
