import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Waits until the disk has a file, or the names in a folder. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
