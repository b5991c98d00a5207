import { setTimeout as delay } from 'node:timers/promises';
import { type Ending, outcomeOf } from '../../domain/dispatch/outcome.js';
import { plainText } from '../../domain/words/plain-text.js';
import { type Child, type ChildExit, spawnGroup } from '../../process/children/child.js';
import { endProcess } from '../../process/children/kill-ladder.js';
import { SpawnError } from '../../process/children/spawn-error.js';
import { TailText } from '../../process/children/tail-text.js';
import { ownIdentity } from '../../process/families/own-identity.js';
import { runMarker } from '../../process/families/run-marker.js';
import type { Outcome } from '../../protocol/outcome.js';

const OUTPUT_LIMIT = 64 * 1024;
// The longest that a timer of Node's can wait; a longer one fires at once.
const LONGEST_MS = 2 ** 31 - 1;
// What is left in a pipe arrives within milliseconds; longer waits only something that got away with its other end.
const DRAIN_MS = 1_000;

export interface CheckRequest {
  /** What a person would type; the shell reads it. */
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

export interface CheckResult {
  readonly passed: boolean;
  /** The end of what it printed, as plain text. */
  readonly output: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
}

let verifications = 0;

/**
 * Runs the command by which work is judged, and leaves nothing of it behind, whatever it started.
 * It carries the worker's own run marker besides: it runs what the agent wrote, so it may not call our API, and the
 * next runner ends what is left of it should the worker be killed.
 */
export async function verify(request: CheckRequest): Promise<CheckResult> {
  const marker = { name: 'HANDRAISE_VERIFICATION', value: `${process.pid}.${(verifications += 1)}` };
  const worker = runMarker(ownIdentity());
  const env = { ...request.env, [worker.name]: worker.value, [marker.name]: marker.value };
  let child: Child;
  try {
    child = start(request, env);
  } catch (error) {
    if (!(error instanceof SpawnError)) throw error;
    const output = `The command could not be started: ${error.message}.\n`;
    return { passed: false, output, exitCode: null, signal: null, timedOut: false };
  }

  const output = new TailText(OUTPUT_LIMIT);
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
  const timeout = AbortSignal.timeout(Math.min(request.timeoutMs, LONGEST_MS));
  const stopped = AbortSignal.any([timeout, request.signal]);
  const exit = await exitOr(child, stopped);
  const timedOut = exit === null && !request.signal.aborted;
  const end = await endProcess({ target: child, marker, graceMs: { sigterm: 2_000 } });
  await drained(child);
  const { exitCode, signal } = exit ?? end.exit ?? { exitCode: null, signal: null };
  return { passed: exit?.exitCode === 0, output: plainText(output.toString()), exitCode, signal, timedOut };
}

// One pipe for both streams keeps their lines in order.
function start({ command, cwd }: CheckRequest, env: Readonly<Record<string, string>>): Child {
  return spawnGroup({
    file: '/bin/sh',
    args: ['-c', `exec 2>&1\n${command}`],
    cwd,
    env,
    stdio: { stdin: 'ignore', stdout: 'pipe', stderr: 'ignore' },
    dieWithParent: true,
  });
}

async function drained({ stdout }: Child): Promise<void> {
  if (stdout === null || stdout.closed) return;
  const patience = new AbortController();
  const { signal } = patience;
  stdout.once('close', () => patience.abort());
  await delay(DRAIN_MS, undefined, { signal }).catch(() => {});
  stdout.destroy();
}

async function exitOr(child: Child, signal: AbortSignal): Promise<ChildExit | null> {
  const over = new AbortController();
  const stopped = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { signal: over.signal });
  });
  const exit = await Promise.race([child.exited, stopped]);
  over.abort();
  return exit;
}

/** How work ends that its check looked at; where the check failed, with the end of what it printed. */
export function verifiedOutcome(ending: Ending, found: CheckResult, keptOutput: number): Outcome {
  const outcome = outcomeOf({ ...ending, verification: found.passed ? 'passed' : 'failed' });
  return found.passed ? outcome : { ...outcome, verificationOutput: found.output.slice(-keptOutput) };
}
