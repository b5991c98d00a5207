import { readdir, readFile } from 'node:fs/promises';

/** A process that carries a mark in its environment. */
export interface MarkedProcess {
  pid: number;
  command: string;
}

/** The name of the variable that children inherit, so that a grandchild whose parent died is still found. */
export const markVariable = 'TEST_PROCESS_MARK';

/** The living processes that were started with this mark; only Linux shows the environment of a process. */
export async function markedProcesses(mark: string): Promise<MarkedProcess[]> {
  if (process.platform !== 'linux') return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const marked = await Promise.all(pids.map((pid) => inspect(pid, `${markVariable}=${mark}`)));
  return marked.filter((found) => found !== undefined);
}

async function inspect(pid: number, entry: string): Promise<MarkedProcess | undefined> {
  try {
    // A zombie has an empty environment, so it does not count as alive.
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
    if (!environment.split('\0').includes(entry)) return undefined;
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    return { pid, command: command.replaceAll('\0', ' ').trim() };
  } catch {
    return undefined;
  }
}
