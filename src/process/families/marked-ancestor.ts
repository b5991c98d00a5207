import { environmentValues, lineage, markedPids, readProcesses } from './process-table.js';

/** Whether this process, or one that it descends from, was started with this variable in its environment. */
export function hasMarkedAncestor(name: string, env: NodeJS.ProcessEnv): boolean {
  if (env[name] !== undefined) return true;
  const line = new Set(lineage(readProcesses(), process.pid).map(({ pid }) => pid));
  return [...environmentValues(name)].some((value) =>
    [...markedPids({ name, value })].some((pid) => line.has(pid)),
  );
}
