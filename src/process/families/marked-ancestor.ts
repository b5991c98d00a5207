import { isAnyStartedWith, readLine } from './process-table.js';

/** Whether this process, or one that it descends from, was started with this variable in its environment. */
export function hasMarkedAncestor(name: string, env: NodeJS.ProcessEnv): boolean {
  if (env[name] !== undefined) return true;
  return isAnyStartedWith(
    readLine(process.pid).map(({ pid }) => pid),
    name,
  );
}
