import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { UseReading, UseSource } from '../children/use-meter.js';
import { readProcesses } from './process-table.js';

// proc_pid_stat(5) counts in ticks, of which every Linux has a hundred in a second.
const msPerTick = 10;
// A kernel may be built without these files.
const tellsChildren = existsSync(`/proc/${process.pid}/task/${process.pid}/children`);

/** One process; its number may be somebody else's later. */
interface Member {
  readonly startTime: string;
  memoryBytes: number;
}

/**
 * What a process and everything below it use, by /proc: for systems that give a run no control group which counts both.
 * The time of a process that has ended is with whoever waited for it, and of the first one that is us; so even a
 * process that lives for a moment counts. What nobody of them waits for counts up to the last reading.
 * A reading opens one file for each member that is known, because it stands in the way of events; the table of all
 * processes took 4 ms of every event on a machine with 200 of them.
 */
export class FamilyUse implements UseSource {
  readonly #members = new Map<number, Member>();
  readonly #before = waitedMs();

  constructor(pid: number) {
    this.#join(pid);
    this.search();
  }

  /** Finds who has been started since, and reads how much memory each has. */
  search(): void {
    // Whoever joins meanwhile comes later in the same loop.
    for (const pid of this.#members.keys()) for (const child of childrenOf(pid)) this.#join(child);
    for (const [pid, member] of this.#members) member.memoryBytes = memoryOf(pid);
  }

  get use(): UseReading | null {
    if (process.platform !== 'linux') return null;
    let cpuMs = waitedMs() - this.#before;
    let memoryBytes = 0;
    for (const [pid, member] of this.#members) {
      const times = timesOf(pid);
      if (times?.startTime !== member.startTime) {
        this.#members.delete(pid);
        continue;
      }
      cpuMs += times.ownMs + times.waitedMs;
      memoryBytes += member.memoryBytes;
    }
    return { cpuMs, memoryBytes };
  }

  #join(pid: number): void {
    const startTime = timesOf(pid)?.startTime;
    if (startTime !== undefined && this.#members.get(pid)?.startTime !== startTime)
      this.#members.set(pid, { startTime, memoryBytes: 0 });
  }
}

function waitedMs(): number {
  return timesOf('self')?.waitedMs ?? 0;
}

function timesOf(pid: number | 'self') {
  const stat = text(`/proc/${pid}/stat`);
  // The first of these fields is the third of proc_pid_stat(5); its 14th to 17th are times, its 22nd is the start.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user = 0, system = 0, waitedUser = 0, waitedSystem = 0] = fields.slice(11, 15).map(Number);
  const startTime = fields[19];
  if (startTime === undefined) return null;
  return { startTime, ownMs: (user + system) * msPerTick, waitedMs: (waitedUser + waitedSystem) * msPerTick };
}

function childrenOf(pid: number): number[] {
  if (!tellsChildren) return readProcesses().flatMap((row) => (row.ppid === pid ? row.pid : []));
  return threadsOf(pid).flatMap((thread) =>
    text(`/proc/${pid}/task/${thread}/children`)
      .split(' ')
      .filter((child) => child !== '')
      .map(Number),
  );
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
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
