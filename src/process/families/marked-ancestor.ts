import { valuesInLine } from './process-table.js';

/** Whether this process, or one that it descends from, was started with this variable in its environment. */
export function hasMarkedAncestor(name: string, env: NodeJS.ProcessEnv): boolean {
  return env[name] !== undefined || valuesInLine(process.pid, name).size > 0;
}

/**
 * Whether a process, or one that it descends from, was started with this variable, and with a value that neither this process nor one
 * that it descends from has: theirs is that of somebody inside of whom we run. Reads two lines of processes and not the whole machine.
 */
export function isMarkedByOthers(pid: number, name: string): boolean {
  const own = valuesInLine(process.pid, name);
  return [...valuesInLine(pid, name)].some((value) => !own.has(value));
}
