import { spawn } from 'node:child_process';
import { closeSync, existsSync, fstatSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../client/client.js';
import { findProcess, homeFolder, programFile } from '../compose.js';
import { readBoundedFile, readFileEnd } from '../process/files/bounded-file.js';
import { ExitCode } from '../protocol/exit-code.js';
import { Failure } from '../protocol/failure.js';
import { ProcessIdentity } from '../protocol/run.js';
import { refuseInsideAgent } from './inside-agent.js';
import { writeMessage } from './output.js';
import { isElsewhere, openClient, workerAddress } from './worker-address.js';
import { openWorkerLog } from './worker-log.js';

/** How a worker is started that leaves when nothing is left to do. */
export const leavingArgs = ['--exit-when-idle', '--any-port'] as const;

const lookEveryMs = 25;
const answerWithinMs = 2000;
// A worker that lives is busy, or has just been started by another command; by then it answers.
const holderAnswersWithinMs = 20_000;

/** Starts a worker of its own for a home, unless one answers there; it outlives this process. */
export async function ensureWorker(
  home: string,
  options: {
    readonly args: readonly string[];
    /** What it has in its environment beside what this process has. */
    readonly env?: NodeJS.ProcessEnv;
    readonly tell?: (words: string) => void;
  },
): Promise<{ readonly isNew: boolean }> {
  const since = performance.now();
  if (await answers(home, holderAnswersWithinMs)) return { isNew: false };
  const isSilent = performance.now() - since >= holderAnswersWithinMs;
  refuseInsideAgent('start a worker');
  (options.tell ?? writeMessage)('Starting a worker in the background.');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const logFile = join(home, 'worker.log');
  const log = openWorkerLog(logFile);
  const logBytes = fstatSync(log).size;
  // It works from its home, so that no project's settings become the worker's.
  const child = spawn(process.execPath, [programFile, 'up', ...options.args], {
    cwd: home,
    detached: true,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  let ended: { readonly code: number | null; readonly at: number } | undefined;
  child.once('exit', (code) => {
    ended = { code, at: performance.now() };
  });
  child.once('error', () => {
    ended = { code: null, at: performance.now() };
  });
  while (!(await answers(home))) {
    if (ended && ended.code !== ExitCode.tempFail) throw notStarted(logFile, logBytes);
    if (ended && (isSilent || performance.now() - ended.at > holderAnswersWithinMs)) throw heldSilently(home);
    await sleep(lookEveryMs);
  }
  child.unref();
  return { isNew: true };
}

/**
 * The worker that a command speaks to; where work was given before and no worker runs, one is started, because a question
 * must be found whether or not somebody keeps a worker running.
 */
export async function readyClient(env: NodeJS.ProcessEnv = process.env): Promise<Client> {
  const home = homeFolder(env);
  if (!isElsewhere(env) && existsSync(join(home, 'worker-id')))
    await ensureWorker(home, { args: leavingArgs });
  return openClient(env);
}

/** Starts a worker again where one has died; one that was told to end took its address along, and is not missed. */
export async function replaceDeadWorker(tell: (words: string) => void): Promise<void> {
  const home = homeFolder(process.env);
  if (isElsewhere() || !existsSync(join(home, 'worker.json'))) return;
  await ensureWorker(home, { args: leavingArgs, tell });
}

/** Whether the worker of this home answers, and not somebody else at its address. */
export async function answers(home: string, withinMs = answerWithinMs): Promise<boolean> {
  const address = await workerAddress(home);
  if (!address) return false;
  try {
    await new Client(address).health({ signal: AbortSignal.timeout(withinMs) });
    return true;
  } catch {
    return false;
  }
}

/** The process that holds the home, whether or not it answers. */
export function holderOf(home: string): ProcessIdentity | null {
  const read = readBoundedFile(join(home, 'holder.json'), { limit: 4096, followLink: false });
  if (!read.ok) return null;
  try {
    const holder = ProcessIdentity.parse(JSON.parse(read.text));
    return findProcess(holder) ? holder : null;
  } catch {
    return null;
  }
}

function heldSilently(home: string): Failure {
  const holder = holderOf(home);
  const who = holder ? `Process ${holder.pid}` : 'Another process';
  return new Failure('home_busy', `${who} holds ${home} and does not answer. End it with: handraise down`);
}

/** The log has the words of earlier starts, too. */
function notStarted(logFile: string, from: number): Failure {
  const added = (statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) - from;
  const output = readFileEnd(logFile, Math.min(8192, Math.max(0, added))) ?? '';
  const lines = output.trimEnd().split('\n').slice(-5);
  return new Failure(
    'unavailable',
    `The worker did not start. The end of ${logFile}:\n  ${lines.join('\n  ')}`,
  );
}
