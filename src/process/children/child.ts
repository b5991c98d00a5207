import {
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  type SpawnOptions,
  spawn,
} from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { ProcessKey } from '../families/process-key.js';
import { readProcess } from '../families/process-table.js';
import { dieWithParent, findSetpriv } from './die-with-parent.js';
import { findExecutable } from './executable.js';
import { watchGroup } from './group-watchdog.js';
import { SpawnError } from './spawn-error.js';

/** What one of a child's standard streams is joined to; a number is an open file descriptor. */
export type ChildStdio = 'pipe' | 'ignore' | number;

/** A child to start. Nothing of our own environment reaches it but what `env` holds. */
export type ChildCommand = {
  file: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  stdio?: { stdin: ChildStdio; stdout: ChildStdio; stderr: ChildStdio };
  dieWithParent?: boolean;
};

/** How a child ended: an exit code, or the signal that killed it. */
export type ChildExit = { exitCode: number | null; signal: NodeJS.Signals | null };

/** A running child that leads a process group and a session of its own. */
export type Child = {
  readonly pid: number;
  readonly pgid: number;
  readonly identity: ProcessKey;
  readonly stdin: Writable | null;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  /** Settles when the process ends, even while a grandchild still holds its streams; never rejects. */
  readonly exited: Promise<ChildExit>;
  /** Node's own handle, which is also what Claude's `spawnClaudeCodeProcess` has to return. */
  readonly process: ChildProcess;
};

/** A child whose three streams are pipes; each must be read, or the child blocks once 64 KiB wait in it. */
export type PipedChild = Child & {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly process: ChildProcessWithoutNullStreams;
};

/** Starts a command as the leader of its own process group, or throws a `SpawnError`. */
export function spawnGroup(command: ChildCommand & { stdio?: never }): PipedChild;
export function spawnGroup(command: ChildCommand): Child;
export function spawnGroup(command: ChildCommand): Child {
  const started = start(command);
  const { pid } = started;
  // Without a pid an 'error' event follows; what it could say was told apart before, in findExecutable.
  if (pid === undefined) throw new SpawnError('spawn_failed', `${command.file} could not be started`);
  // Node reaps a child in a later turn of the event loop, so the pid is still this child's, dead or alive.
  const identity = readProcess(pid)?.identity;
  if (identity === undefined) throw abandon(started, `${command.file} could not be found after its start`);

  const exited = exitOf(started);
  if (command.dieWithParent === true) guard(started, { pid, exited });
  const { stdin, stdout, stderr } = started;
  return { pid, pgid: pid, identity, stdin, stdout, stderr, exited, process: started };
}

function start(command: ChildCommand): ChildProcess {
  const path = command.env['PATH'];
  const file = findExecutable(command.file, { path, cwd: command.cwd });
  const plain = { file, args: command.args };
  const invocation = command.dieWithParent === true ? dieWithParent(plain, findSetpriv(path)) : plain;
  const stdio = command.stdio ?? { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' };
  const options: SpawnOptions = {
    cwd: command.cwd,
    env: { ...command.env },
    detached: true,
    stdio: [stdio.stdin, stdio.stdout, stdio.stderr],
  };
  try {
    const started = spawn(invocation.file, invocation.args, options);
    started.on('error', () => {});
    // A child that ends while we write breaks the pipe; its exit says so, an event without a listener kills us.
    started.stdin?.on('error', () => {});
    return started;
  } catch (cause) {
    throw new SpawnError('spawn_failed', `${command.file} could not be started`, { cause });
  }
}

function exitOf(started: ChildProcess): Promise<ChildExit> {
  return new Promise((resolve) => {
    started.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

function guard(started: ChildProcess, child: { pid: number; exited: Promise<ChildExit> }): void {
  try {
    const watchdog = watchGroup(child.pid);
    void child.exited.then(watchdog.release);
  } catch (cause) {
    throw abandon(started, 'a child that must die with its parent got no watchdog', cause);
  }
}

function abandon(started: ChildProcess, message: string, cause?: unknown): SpawnError {
  started.kill('SIGKILL');
  return new SpawnError('spawn_failed', message, { cause });
}
