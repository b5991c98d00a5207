import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { waitUntil } from './wait-until.js';

/** Our own group, in which the groups of runs are made, too. */
const folder = join(
  '/sys/fs/cgroup/memory',
  /^\d+:memory:(.*)$/m.exec(readIfThere('/proc/self/cgroup'))?.[1] ?? '',
);

/** Whether a test can bound the memory of processes: root, with the control groups of version 1. */
export const canBoundMemory = (() => {
  const probe = join(folder, `handraise-probe-${process.pid}`);
  try {
    mkdirSync(probe);
    rmdirSync(probe);
    return true;
  } catch {
    return false;
  }
})();

/** Processes that together may have so much memory and no more. */
export class MemoryGroup {
  readonly #path: string;

  constructor(bytes: number) {
    this.#path = join(folder, `handraise-test-${process.pid}-${performance.now()}`);
    mkdirSync(this.#path);
    writeFileSync(join(this.#path, 'memory.limit_in_bytes'), String(bytes));
    onTestFinished(async () => {
      await waitUntil('the memory group is empty', () => this.#read('cgroup.procs') === '');
      rmdirSync(this.#path);
    });
  }

  /** A process, and whatever it starts from now on. */
  add(pid: number): void {
    writeFileSync(join(this.#path, 'cgroup.procs'), String(pid));
  }

  /** How often somebody was ended because the memory was used up. */
  get kills(): number {
    return Number(/^oom_kill (\d+)$/m.exec(this.#read('memory.oom_control'))?.[1] ?? 0);
  }

  /** The most that was used at any moment, with what of it was only kept because there was room. */
  get mostBytes(): number {
    return Number(this.#read('memory.max_usage_in_bytes'));
  }

  #read(name: string): string {
    return readFileSync(join(this.#path, name), 'utf8').trim();
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
