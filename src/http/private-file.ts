import { closeSync, fsyncSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Failure } from '../protocol/failure.js';

/** The text of a file that nobody else can read; null where there is none. */
export function readPrivate(path: string): string | null {
  const stat = statOf(path);
  if (!stat) return null;
  if (!stat.isFile()) throw new Failure('config', `${path} is not a file.`);
  if (stat.mode & 0o077) {
    throw new Failure(
      'config',
      `Other users can read ${path}. Run: chmod 600 ${path}. Then replace the tokens in it (handraise token).`,
    );
  }
  return readFileSync(path, 'utf8');
}

/** Writes a file that was just opened, to the disk, and closes it. */
export function writeDurably(handle: number, text: string): void {
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export function statOf(path: string) {
  return statSync(path, { throwIfNoEntry: false });
}

/** Another text whenever the file is another one, or has changed. */
export function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat ? `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}` : 'none';
}

export function systemErrorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
