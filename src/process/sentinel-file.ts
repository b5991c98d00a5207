import { lstatSync, renameSync, rmSync, type Stats } from 'node:fs';
import { basename, dirname } from 'node:path';
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
 * not even one that is put there while we look; nothing blocks; and never more is read than the limit.
 */
export class SentinelFile {
  readonly #path: string;
  readonly #limit: number;
  #leftOver: Stats | undefined;

  constructor(path: string, { limit }: { limit: number }) {
    this.#path = path;
    this.#limit = limit;
  }

  /** Removes what is there; what cannot be removed is remembered, so that it is never taken for a signal. */
  clear(): void {
    this.#leftOver = undefined;
    try {
      if (this.#folder() === 'folder') rmSync(this.#path, { recursive: true, force: true });
    } catch {
      this.#leftOver = this.#look();
    }
  }

  /** What is in the file, or why nothing is read from it; null when it is not there. */
  read(): BoundedText | null {
    try {
      const folder = this.#folder();
      if (folder === 'absent') return null;
      if (folder === 'other') {
        const name = basename(dirname(this.#path));
        return refused(`${name} is not a folder of the workspace, so it is not followed`);
      }
      const there = lstatSync(this.#path, { throwIfNoEntry: false });
      if (!there || isSame(there, this.#leftOver)) return null;
    } catch (error) {
      return refused(`it cannot be looked at (${errnoOf(error) ?? 'unknown'})`);
    }
    const reading = readBoundedFile(this.#path, {
      limit: this.#limit,
      followLink: false,
      check: (opened) => this.#whyElsewhere(opened),
    });
    return !reading.ok && reading.missing ? null : reading;
  }

  /** Keeps a file that is no signal, under another name, in place of the one that was kept before. */
  keepAside(): void {
    const aside = this.#path.replace(/(\.\w+)?$/, '.invalid$1');
    try {
      renameSync(this.#path, aside);
    } catch {
      // A folder cannot take the place of a file, nor the other way round.
      this.#replace(aside);
    }
  }

  #replace(aside: string): void {
    try {
      rmSync(aside, { recursive: true, force: true });
      renameSync(this.#path, aside);
    } catch {
      // It stays where it is, and is cleared before the next turn.
    }
  }

  /** A folder that was swapped for a link while we opened the file shows here: the name leads to another file now. */
  #whyElsewhere(opened: Stats): string | null {
    if (opened.nlink > 1) return 'it is a hard link to a file elsewhere';
    const isStill = this.#folder() === 'folder' && isSame(opened, this.#look());
    return isStill ? null : 'it was replaced while it was read';
  }

  #look(): Stats | undefined {
    try {
      return lstatSync(this.#path, { throwIfNoEntry: false });
    } catch {
      return undefined;
    }
  }

  #folder(): 'absent' | 'folder' | 'other' {
    const stat = lstatSync(dirname(this.#path), { throwIfNoEntry: false });
    return stat === undefined ? 'absent' : stat.isDirectory() ? 'folder' : 'other';
  }
}

function isSame(one: Stats, other: Stats | undefined): boolean {
  return one.dev === other?.dev && one.ino === other.ino && one.mtimeMs === other.mtimeMs;
}

function refused(error: string): BoundedText {
  return { ok: false, missing: false, error };
}
