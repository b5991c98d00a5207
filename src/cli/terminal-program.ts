import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { Writable } from 'node:stream';
import { ownIdentity, processIdentity, terminalMarker } from '../compose.js';
import { Failure } from '../protocol/failure.js';
import type { ProcessIdentity } from '../protocol/run.js';
import type { TerminalCommand } from '../protocol/terminal.js';

// The shell waits for a line before it becomes the program, so that the worker knows the process before it can read
// anything; where this process is killed before, no line comes and nothing is started.
const gate = 'read -r go <&3 || exit 1; exec 3<&-; exec "$@"';

// The terminal sends these to the program, too, which decides what they mean.
const keys = ['SIGINT', 'SIGQUIT'] as const;
const ends = ['SIGTERM', 'SIGHUP'] as const;

/** The runtime's own program, in the terminal of this process. */
export const TerminalProgram = {
  /** The process that waits for it. */
  keeper(): ProcessIdentity {
    return ownIdentity();
  },

  /** Runs it to its end; `started` is awaited before it can read. Gives its exit code. */
  async run(command: TerminalCommand, started: (program: ProcessIdentity) => Promise<void>): Promise<number> {
    const { file, args, cwd } = command;
    const child = spawn('/bin/sh', ['-c', gate, 'handraise-attach', file, ...args], {
      cwd,
      env: environment(command),
      stdio: ['inherit', 'inherit', 'inherit', 'pipe'],
    });
    const ended = once(child, 'exit');
    const undo = passSignals(child);
    try {
      // A folder that is gone is told by `error`, which rejects what waits for the exit.
      await Promise.race([once(child, 'spawn'), ended]);
      await started(identityOf(child));
      gateOf(child).end('go\n');
      const [code, signal] = await ended;
      return typeof code === 'number' ? code : 128 + signalNumber(signal);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    } finally {
      undo();
    }
  },
};

/** This terminal's own environment, with what says where the session lies, and the mark of what agents do. */
function environment(command: TerminalCommand): NodeJS.ProcessEnv {
  const { name, value } = terminalMarker(ownIdentity());
  const own = Object.entries(process.env).filter(([variable]) => !variable.startsWith('HANDRAISE_'));
  return { ...Object.fromEntries(own), ...command.env, [name]: value };
}

function identityOf({ pid }: ChildProcess): ProcessIdentity {
  const identity = pid === undefined ? null : processIdentity(pid);
  if (!identity) throw new Failure('unavailable', 'The program ended before it had begun.');
  return identity;
}

function gateOf({ stdio }: ChildProcess): Writable {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fourth is a pipe that the child reads
  return stdio[3] as Writable;
}

function ignore(): void {}

function passSignals(child: ChildProcess): () => void {
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of keys) process.on(signal, ignore);
  for (const signal of ends) process.on(signal, pass);
  return () => {
    for (const signal of keys) process.off(signal, ignore);
    for (const signal of ends) process.off(signal, pass);
  };
}

function signalNumber(signal: unknown): number {
  return Object.entries(constants.signals).find(([name]) => name === signal)?.[1] ?? 0;
}
