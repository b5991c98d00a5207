import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Whether a test can have a disk of its own. */
export const canMount = (() => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** A small disk at a path, until the test is over. */
export function mountSmallDisk(path: string): void {
  mkdirSync(path, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m,nr_inodes=300,mode=0700', 'tmpfs', path]);
  onTestFinished(() => void execFileSync('umount', ['-l', path]));
}

/** Takes the last byte of the disk; freed when the path is removed. */
export function fillDisk(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (let size = 2 ** 20; size >= 1; size = size >> 1) {
      try {
        for (;;) writeSync(file, Buffer.alloc(size));
      } catch {
        // No room for so much any more.
      }
    }
  } finally {
    closeSync(file);
  }
}

/** Takes the last inode of the disk; the answer gives them back. */
export function takeInodes(folder: string): () => void {
  const taken: string[] = [];
  try {
    for (;;) {
      const path = join(folder, `inode-${taken.length}`);
      closeSync(openSync(path, 'wx'));
      taken.push(path);
    }
  } catch {
    // None is left.
  }
  return () => {
    for (const path of taken) rmSync(path, { force: true });
  };
}
