import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDying } from '../families/dying.js';
import { errnoOf } from '../files/errno.js';
import type { UseReading, UseSource } from './use-meter.js';

const prefix = 'handraise-run-';
// What else begins like ours is somebody else's.
const ownName = /^handraise-run-\d+\.[\w-]+$/;
// A process that was killed leaves its control group a moment later.
const emptyWithinMs = 2000;
const lookMs = 20;

/** Where the kernel shows control groups, and which one this process is in. */
export interface CgroupFiles {
  readonly root: string;
  readonly self: string;
}

const thisMachine: CgroupFiles = { root: '/sys/fs/cgroup', self: '/proc/self/cgroup' };

/** What the files of a memory control group are called. */
interface Version {
  readonly kills: string;
  readonly limit: string;
  /** Swap would let a process go on far beyond its limit; where nobody counts it, there is nothing to write. */
  readonly withSwap: readonly [file: string, value: (bytes: number) => number];
}

const versions: Readonly<Record<1 | 2, Version>> = {
  1: {
    kills: 'memory.oom_control',
    limit: 'memory.limit_in_bytes',
    withSwap: ['memory.memsw.limit_in_bytes', (bytes) => bytes],
  },
  2: { kills: 'memory.events', limit: 'memory.max', withSwap: ['memory.swap.max', () => 0] },
};

interface Place {
  readonly folder: string;
  readonly version: 1 | 2;
}

const made = new Map<string, RunMemory>();

/** The memory control group of one run: what its agent and everything below it use, and who was killed for want of memory. */
export class RunMemory implements UseSource {
  readonly #path: string;
  readonly #version: Version;
  #seen: number;
  #agent: number | undefined;

  private constructor(path: string, version: Version) {
    this.#path = path;
    this.#version = version;
    this.#seen = this.#count();
  }

  /** Makes the group of a run; null where this machine, or this user, may have none. */
  static make(run: string, files: CgroupFiles = thisMachine): RunMemory | null {
    const known = made.get(run);
    if (known) return known;
    for (const { folder, version } of places(files)) {
      const path = join(folder, `${prefix}${run}`);
      try {
        mkdirSync(path);
        const group = new RunMemory(path, versions[version]);
        made.set(run, group);
        return group;
      } catch (error) {
        if (errnoOf(error) === undefined) throw error;
        removeIfEmpty(path);
      }
    }
    return null;
  }

  /** Whether a group can be made here; it is tried. */
  static isPossible(files: CgroupFiles = thisMachine): boolean {
    return places(files).some(({ folder }) => {
      const path = join(folder, `${prefix}probe-${process.pid}`);
      try {
        mkdirSync(path);
      } catch {
        return false;
      }
      return removeIfEmpty(path);
    });
  }

  /** The group that this process has made for a run. */
  static of(run: string): RunMemory | null {
    return made.get(run) ?? null;
  }

  /** Bounds what the run may use; false where the kernel does not say that it does. */
  limit(bytes: number): boolean {
    const { limit, withSwap } = this.#version;
    const [swapFile, swap] = withSwap;
    try {
      this.#write(limit, bytes);
      this.#writeIfThere(swapFile, swap(bytes));
      const kept = Number(this.#read(limit));
      // The kernel counts in pages.
      return kept <= bytes && kept > bytes - 2 ** 16;
    } catch {
      return false;
    }
  }

  /** The agent's process, and whatever it starts from now on. */
  add(pid: number): void {
    this.#agent = pid;
    try {
      this.#write('cgroup.procs', pid);
    } catch {
      // It has ended by now.
    }
  }

  /** Processor time and memory; only groups of version 2 count both, and null is that another way has to be found. */
  get use(): UseReading | null {
    try {
      const cpu = /^usage_usec (\d+)$/m.exec(this.#read('cpu.stat'))?.[1];
      const memory = /^anon (\d+)$/m.exec(this.#read('memory.stat'))?.[1];
      if (cpu === undefined || memory === undefined) return null;
      return { cpuMs: Number(cpu) / 1000, memoryBytes: Number(memory) };
    } catch {
      return null;
    }
  }

  /** Whether the agent itself has been killed, though it still has its pid. */
  get isAgentDying(): boolean {
    return this.#agent !== undefined && isDying(this.#agent) === true;
  }

  /** How many were killed of whom nobody has been told. */
  get newKills(): number {
    return Math.max(0, this.#count() - this.#seen);
  }

  /** Those were told. */
  told(): void {
    this.#seen = this.#count();
  }

  async remove(): Promise<void> {
    for (let waited = 0; !removeIfEmpty(this.#path) && waited < emptyWithinMs; waited += lookMs)
      await delay(lookMs);
  }

  /** Removes groups of runs that are dead; one that somebody is still in stays for the next look. */
  static sweep(isAlive: (run: string) => boolean, files: CgroupFiles = thisMachine): void {
    for (const { folder } of places(files)) {
      for (const name of entries(folder)) {
        if (ownName.test(name) && !isAlive(name.slice(prefix.length))) removeIfEmpty(join(folder, name));
      }
    }
  }

  #count(): number {
    return Number(/^oom_kill (\d+)$/m.exec(this.#read(this.#version.kills))?.[1] ?? 0);
  }

  #read(name: string): string {
    return readFileSync(join(this.#path, name), 'utf8');
  }

  #write(name: string, value: number): void {
    writeFileSync(join(this.#path, name), String(value), { flag: 'r+' });
  }

  #writeIfThere(name: string, value: number): void {
    try {
      this.#write(name, value);
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error;
    }
  }
}

/**
 * Where a group may be made: inside of our own, and with version 2 beside it, because there a group that has processes
 * cannot bound groups inside of it. Which of them this user may write to shows when it is tried.
 */
function places({ root, self }: CgroupFiles): Place[] {
  return (text(self) ?? '').split('\n').flatMap((line): Place[] => {
    const [id, controllers, path] = line.split(':');
    if (path === undefined) return [];
    if (controllers?.split(',').includes('memory'))
      return [{ folder: join(root, 'memory', path), version: 1 }];
    if (id !== '0') return [];
    const own = join(root, path);
    return [own, dirname(own)]
      .filter((folder) => folder.startsWith(root) && bounds(folder))
      .map((folder) => ({ folder, version: 2 }));
  });
}

/** Whether the memory of groups inside of this one is counted. */
function bounds(folder: string): boolean {
  return (text(join(folder, 'cgroup.subtree_control')) ?? '').split(/\s/).includes('memory');
}

function removeIfEmpty(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch (error) {
    return errnoOf(error) === 'ENOENT';
  }
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function text(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
