import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { type ChildCommand, type PipedChild, spawnGroup } from '../../src/process/children/child.js';
import { LineSplitter } from '../../src/process/children/line-splitter.js';
import { readLines } from '../../src/process/children/read-lines.js';
import type { EnvironmentMarker } from '../../src/process/families/process-source.js';
import { waitUntil } from '../harness/wait-until.js';

/** The path of a small executable that misbehaves in one way. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
}

/** Starts a fixture and reads its first line: `ready`, or the pid of what it started itself. */
export async function startFixture(
  name: string,
  env: ChildCommand['env'] = {},
): Promise<{ child: PipedChild; line: string }> {
  const child = spawnGroup({ file: fixture(name), args: [], cwd: '/', env: { ...process.env, ...env } });
  killAfterTest(child.pid);
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
  killAfterTest(parent.pid);
  const pids: number[] = [];
  for await (const line of readLines(parent.stdout, { maxBytes: 1000 })) {
    if (line.kind === 'line') pids.push(trackPid(line.text));
    if (pids.length === options.pids) break;
  }
  return { pid: parent.pid, pids };
}

/** A mark for processes of a test. Not the one that runners give: every runner that starts ends what bears that of a dead one. */
export function newMarker(): EnvironmentMarker {
  return { name: 'TEST_FAMILY_MARK', value: randomUUID() };
}

/** Takes a pid that a fixture printed, to be killed after the test if it still lives. */
export function trackPid(line: string): number {
  const pid = Number(line);
  if (!Number.isInteger(pid) || pid < 2) throw new Error(`not a pid: ${line}`);
  killAfterTest(pid);
  return pid;
}

// A test that fails must leave nothing to the next one, so whole groups go. A busy machine hands a pid out again within
// minutes, so only the process that was there counts.
function killAfterTest(pid: number): void {
  const startedAt = psField(pid, 'lstart');
  onTestFinished(() => {
    if (startedAt === '' || psField(pid, 'lstart') !== startedAt) return;
    if (psField(pid, 'pgid') === String(pid)) process.kill(-pid, 'SIGKILL');
    else if (isLiving(pid)) process.kill(pid, 'SIGKILL');
  });
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

/** Waits until a process has become this program: it is a copy of its parent at first, then a name without arguments. */
export async function becomes(pid: number, program: string): Promise<void> {
  await waitUntil(`${pid} is ${program}`, () => psField(pid, 'args').startsWith(`${program} `));
}

/** Waits until a daemon is one: it is its own program, and nothing is left of the shell that led its session. */
export async function becomesDaemon(pid: number, program: string): Promise<void> {
  await becomes(pid, program);
  await dies(Number(psField(pid, 'sess')));
}

export async function dies(pid: number): Promise<void> {
  await waitUntil(`${pid} is dead`, () => !isLiving(pid));
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
