import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UseReading, UseSource } from '../children/use-meter.js';

/** The limits that the kernel keeps; null is none, undefined is that it cannot be read. */
export interface KeptLimits {
  readonly memoryBytes: number | null | undefined;
  readonly cpus: number | null | undefined;
  readonly processes: number | null | undefined;
}

/** The control group of a process of another container, as the kernel has it; the engine's own word is only a wish. */
export class ControlGroup implements UseSource {
  readonly #folders: { readonly [controller: string]: string };

  private constructor(folders: { readonly [controller: string]: string }) {
    this.#folders = folders;
  }

  /** Undefined where the process is none of this machine's, or gone. */
  static of(pid: number, root = '/sys/fs/cgroup'): ControlGroup | undefined {
    const text = read(`/proc/${pid}/cgroup`);
    if (text === undefined || pid <= 0) return undefined;
    const folders: Record<string, string> = {};
    for (const line of text.split('\n')) {
      const [id, controllers = '', path] = line.split(':');
      if (path === undefined) continue;
      if (id === '0') folders['unified'] = join(root, path);
      for (const name of controllers.split(','))
        if (name !== '') folders[name] = join(root, controllers, path);
    }
    return new ControlGroup(folders);
  }

  /** How often the kernel has ended a process of it for want of memory. */
  get kills(): number | undefined {
    const text = this.#read('unified', 'memory.events') ?? this.#read('memory', 'memory.oom_control');
    const count = text?.match(/^oom_kill (\d+)$/m)?.[1];
    return count === undefined ? undefined : Number(count);
  }

  /** Processor time and memory of everything in it; memory that is only a file's is not the agent's. */
  get use(): UseReading | null {
    const unified = /^usage_usec (\d+)$/m.exec(this.#read('unified', 'cpu.stat') ?? '')?.[1];
    const accounted = this.#read('cpuacct', 'cpuacct.usage');
    const memory =
      /^anon (\d+)$/m.exec(this.#read('unified', 'memory.stat') ?? '')?.[1] ??
      /^total_rss (\d+)$/m.exec(this.#read('memory', 'memory.stat') ?? '')?.[1];
    // Where both versions are mounted, the engine's groups are those of version 1.
    const cpuMs = accounted === undefined ? Number(unified) / 1e3 : Number(accounted) / 1e6;
    return memory === undefined || Number.isNaN(cpuMs) ? null : { cpuMs, memoryBytes: Number(memory) };
  }

  /** The pids of everything in it. */
  get members(): readonly number[] {
    const text = this.#read('unified', 'cgroup.procs') || this.#read('memory', 'cgroup.procs');
    return text ? text.split('\n').map(Number) : [];
  }

  get limits(): KeptLimits {
    return { memoryBytes: this.#memory(), cpus: this.#cpus(), processes: this.#processes() };
  }

  #memory(): number | null | undefined {
    const text = this.#read('unified', 'memory.max') ?? this.#read('memory', 'memory.limit_in_bytes');
    if (text === undefined) return undefined;
    // Version 1 writes no limit as a number that no machine has.
    const bytes = Number(text);
    return Number.isFinite(bytes) && bytes < 2 ** 60 ? bytes : null;
  }

  #processes(): number | null | undefined {
    const text = this.#read('unified', 'pids.max') ?? this.#read('pids', 'pids.max');
    if (text === undefined) return undefined;
    return text === 'max' ? null : Number(text);
  }

  #cpus(): number | null | undefined {
    const unified = this.#read('unified', 'cpu.max')?.split(' ');
    const quota = unified?.[0] ?? this.#read('cpu', 'cpu.cfs_quota_us');
    const period = unified?.[1] ?? this.#read('cpu', 'cpu.cfs_period_us');
    if (quota === undefined || period === undefined) return undefined;
    return Number(quota) > 0 ? Number(quota) / Number(period) : null;
  }

  #read(controller: string, name: string): string | undefined {
    const folder = this.#folders[controller];
    return folder === undefined ? undefined : read(join(folder, name))?.trim();
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
