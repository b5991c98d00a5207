import { spawn, spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import { type Command, type PipedChild, spawnGroup } from '../../src/process/child.js';
import { LineSplitter } from '../../src/process/line-splitter.js';
import { readLines } from '../../src/process/read-lines.js';

const started = new Set<number>();

// A test that fails must leave nothing to the next one, so whole groups go.
afterEach(() => {
  for (const pid of started) {
    if (psField(pid, 'pgid') === String(pid)) process.kill(-pid, 'SIGKILL');
    else if (isLiving(pid)) process.kill(pid, 'SIGKILL');
  }
  started.clear();
});

/** The path of a small executable that misbehaves in one way. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
}

/** Starts a fixture and reads its first line: `ready`, or the pid of what it started itself. */
export async function startFixture(
  name: string,
  env: Command['env'] = {},
): Promise<{ child: PipedChild; line: string }> {
  const child = spawnGroup({ file: fixture(name), args: [], cwd: '/', env: { ...process.env, ...env } });
  started.add(child.pid);
  const line = await firstLine(child.stdout);
  return { child, line };
}

/** Starts a Node program that starts a child of its own; `pids` are the first lines that it writes. */
export async function startParent(
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; pids: number },
): Promise<{ pid: number; pids: number[] }> {
  const parent = spawn(process.execPath, args, {
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (parent.pid === undefined) throw new Error('the parent did not start');
  started.add(parent.pid);
  const pids: number[] = [];
  for await (const line of readLines(parent.stdout, { maxBytes: 1000 })) {
    if (line.kind === 'line') pids.push(trackPid(line.text));
    if (pids.length === options.pids) break;
  }
  return { pid: parent.pid, pids };
}

/** Takes a pid that a fixture printed, to be killed after the test if it still lives. */
export function trackPid(line: string): number {
  const pid = Number(line);
  if (!Number.isInteger(pid) || pid < 2) throw new Error(`not a pid: ${line}`);
  started.add(pid);
  return pid;
}

/** Whether a pid runs, asked of ps so that the code under test does not judge itself; a zombie does not run. */
export function isLiving(pid: number): boolean {
  const state = psField(pid, 'stat');
  return state !== '' && !state.startsWith('Z');
}

/** One column of ps, empty when there is no such process. */
export function psField(pid: number, column: string): string {
  return spawnSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(10);
}

// The rest of the stream keeps flowing, so that leaving it unread cannot block the child.
function firstLine(stream: PipedChild['stdout']): Promise<string> {
  return new Promise((resolve, reject) => {
    const splitter = new LineSplitter({ maxBytes: 1000 });
    stream.on('data', (chunk: Buffer) => {
      const [line] = splitter.push(chunk);
      if (line?.kind === 'line') resolve(line.text);
    });
    stream.once('end', () => reject(new Error('the fixture said nothing')));
  });
}
