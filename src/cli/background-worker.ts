import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../client/client.js';
import { homeFolder, programFile } from '../compose.js';
import { ExitCode } from '../protocol/exit-code.js';
import { Failure } from '../protocol/failure.js';
import { writeMessage } from './output.js';
import { isElsewhere, openClient, workerAddress } from './worker-address.js';

/** How a worker is started that leaves when nothing is left to do. */
export const leavingArgs = ['--exit-when-idle', '--port', '0'] as const;

const lookEveryMs = 25;
const answerWithinMs = 2000;

/** Starts a worker of its own for a home, unless one answers there; it outlives this process. */
export async function ensureWorker(
  home: string,
  options: { readonly args: readonly string[] },
): Promise<{ readonly isNew: boolean }> {
  if (await answers(home)) return { isNew: false };
  writeMessage('starting a worker in the background');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const logFile = join(home, 'worker.log');
  const log = openSync(logFile, 'a', 0o600);
  // It works from its home, so that no project's settings become the worker's.
  const child = spawn(process.execPath, [programFile, 'up', ...options.args], {
    cwd: home,
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  let ended: { code: number | null } | undefined;
  child.once('exit', (code) => {
    ended = { code };
  });
  child.once('error', () => {
    ended = { code: null };
  });
  while (!(await answers(home))) {
    // Another command may have started one at the same moment; then that one will answer.
    if (ended && ended.code !== ExitCode.tempFail) throw notStarted(logFile);
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
  if (!isElsewhere(env) && existsSync(join(home, 'store.db')))
    await ensureWorker(home, { args: leavingArgs });
  return openClient(env);
}

/** Whether a worker answers for this home. */
export async function answers(home: string): Promise<boolean> {
  const address = await workerAddress(home);
  if (!address) return false;
  try {
    await new Client(address).health({ signal: AbortSignal.timeout(answerWithinMs) });
    return true;
  } catch {
    return false;
  }
}

function notStarted(logFile: string): Failure {
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-5);
  return new Failure(
    'unavailable',
    `The worker did not start; ${logFile} ends with:\n  ${lines.join('\n  ')}`,
  );
}
