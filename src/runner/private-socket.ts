import { mkdirSync, rmSync, statSync } from 'node:fs';
import type { Server } from 'node:net';
import { dirname } from 'node:path';
import { Failure } from '../protocol/failure.js';

// Node cuts a socket path at 108 bytes without a word (measured).
const maxPathBytes = 100;

/** Refuses a path that the system would cut off. */
export function checkSocketPath(path: string): void {
  if (Buffer.byteLength(path) > maxPathBytes) {
    throw new Failure(
      'usage',
      `--socket: the path is longer than ${maxPathBytes} bytes, the longest that the system allows.`,
    );
  }
}

/** Listens where only this user can connect, in place of whatever was there; gives the socket's inode. */
export async function bindPrivately(server: Server, path: string): Promise<number> {
  checkSocketPath(path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rmSync(path, { force: true });
  // The socket is made with these rights, so that nobody can connect before they are set.
  const mask = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
  } finally {
    process.umask(mask);
  }
  return statSync(path).ino;
}
