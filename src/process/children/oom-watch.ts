import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Notices that the kernel killed something in this process's memory cgroup since the watch began. */
export class OomWatch {
  readonly #read: () => number | null;
  readonly #before: number | null;

  constructor(read: () => number | null = oomKills) {
    this.#read = read;
    this.#before = read();
  }

  sawKill(): boolean {
    const now = this.#read();
    return now !== null && this.#before !== null && now > this.#before;
  }
}

/** The kernel's count of OOM kills in our memory cgroup (v2, else v1), or null where there is none to read. */
export function oomKills(
  files: { readonly root: string; readonly self: string } = {
    root: '/sys/fs/cgroup',
    self: '/proc/self/cgroup',
  },
): number | null {
  for (const line of read(files.self)?.split('\n') ?? []) {
    const [id, controllers, path] = line.split(':');
    if (path === undefined) continue;
    const file =
      id === '0'
        ? join(files.root, path, 'memory.events')
        : controllers?.split(',').includes('memory')
          ? join(files.root, 'memory', path, 'memory.oom_control')
          : null;
    const count = file && read(file)?.match(/^oom_kill (\d+)$/m)?.[1];
    if (count) return Number(count);
  }
  return null;
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
