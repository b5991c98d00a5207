import { readdir, readFile } from 'node:fs/promises';

/** A process that was started for a test. */
export interface TestProcess {
  readonly pid: number;
  readonly command: string;
}

/** The living processes that have this variable in their environment, which every child passes on. */
export async function processesWith(name: string, value: string): Promise<TestProcess[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number);
  const found = await Promise.all(pids.map((pid) => inspect(pid, `${name}=${value}`)));
  return found.filter((process) => process !== null);
}

async function inspect(pid: number, entry: string): Promise<TestProcess | null> {
  try {
    // A zombie has an empty environment, so it does not count as alive.
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
    if (!environment.split('\0').includes(entry)) return null;
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    return { pid, command: command.replaceAll('\0', ' ').trim() };
  } catch {
    return null;
  }
}
