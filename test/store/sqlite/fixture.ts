import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The path of a program of this folder's tests. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
}

/** Starts a program of this folder's tests. */
export function start(name: string, ...args: string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [fixture(name), ...args]);
}

/** Runs a command to its end; what it prints is one JSON line. */
export async function reportOf(command: string, args: readonly string[], options: { uid?: number } = {}) {
  const child = spawn(command, args, options);
  child.stdin.end();
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  const report: unknown = stdout === '' ? stderr : JSON.parse(stdout);
  return { exitCode: Number(exitCode), report };
}
