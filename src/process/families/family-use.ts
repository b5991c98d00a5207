import { readFileSync } from 'node:fs';
import type { UseReading, UseSource } from '../children/use-meter.js';
import { ProcessFamily } from './process-family.js';
import { processIdentity } from './process-table.js';

// proc_pid_stat(5) counts in ticks, of which every Linux has a hundred in a second.
const msPerTick = 10;

/**
 * What a process and everything below it use, by /proc: for systems that give a run no control group which counts both.
 * The time of a process that has ended is with whoever waited for it, and of the first one that is us; so even a
 * process that lives for a moment counts. What nobody of them waits for counts up to the last look.
 */
export class FamilyUse implements UseSource {
  readonly #family: ProcessFamily;
  readonly #before = waitedMs();

  constructor(pid: number) {
    const root = processIdentity(pid);
    this.#family = new ProcessFamily(root ? { root, leadsGroup: true } : {});
  }

  get use(): UseReading | null {
    if (process.platform !== 'linux') return null;
    let cpuMs = waitedMs() - this.#before;
    let memoryBytes = 0;
    for (const { pid } of this.#family.look()) {
      const { own, waited } = times(pid);
      cpuMs += own + waited;
      memoryBytes += memoryOf(pid);
    }
    return { cpuMs, memoryBytes };
  }
}

function waitedMs(): number {
  return process.platform === 'linux' ? times('self').waited : 0;
}

function times(pid: number | 'self'): { own: number; waited: number } {
  const stat = text(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // The fields 14 to 17; the first one here is the third.
  const [user = 0, system = 0, waitedUser = 0, waitedSystem = 0] = fields.slice(11, 15).map(Number);
  return { own: (user + system) * msPerTick, waited: (waitedUser + waitedSystem) * msPerTick };
}

/** Memory that is its own: what it shares with others would be counted again for each of them. */
function memoryOf(pid: number): number {
  return 1024 * Number(/^RssAnon:\s+(\d+) kB$/m.exec(text(`/proc/${pid}/status`))?.[1] ?? 0);
}

function text(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
