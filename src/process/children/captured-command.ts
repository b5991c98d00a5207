import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type Child, spawnGroup } from './child.js';
import { endProcess } from './kill-ladder.js';
import { SpawnError } from './spawn-error.js';

const OUTPUT_LIMIT = 1024 * 1024;
// What is left in a pipe arrives within milliseconds; longer waits only something that got away with its other end.
const DRAIN_MS = 1_000;

/** A program that is run to its end for what it prints; nothing of it outlives us. */
export interface CapturedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What it reads from stdin. */
  readonly input?: string;
  readonly signal: AbortSignal;
}

/** How it ended; it may not be installed at all, or was ended because the signal came. */
export type CapturedEnd =
  | { readonly kind: 'missing' }
  | { readonly kind: 'stopped' }
  | {
      readonly kind: 'ended';
      readonly code: number | null;
      readonly stdout: string;
      readonly stderr: string;
    };

export async function runCaptured(command: CapturedCommand): Promise<CapturedEnd> {
  const { file, args, cwd, env, signal } = command;
  let child: Child;
  try {
    child = spawnGroup({
      file,
      args,
      cwd,
      env,
      stdio: { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' },
      dieWithParent: true,
    });
  } catch (error) {
    if (error instanceof SpawnError) return { kind: 'missing' };
    throw error;
  }
  const [stdout, stderr] = [gathered(child.stdout), gathered(child.stderr)];
  child.stdin?.on('error', () => {});
  child.stdin?.end(command.input ?? '');
  const stop = () => void endProcess({ target: child, graceMs: { sigterm: 1_000 } });
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const { exitCode } = await child.exited;
  signal.removeEventListener('abort', stop);
  const patience = new AbortController();
  await Promise.race([
    Promise.all([stdout.read, stderr.read]),
    delay(DRAIN_MS, undefined, { signal: patience.signal }).catch(() => {}),
  ]);
  patience.abort();
  child.stdout?.destroy();
  child.stderr?.destroy();
  if (signal.aborted) return { kind: 'stopped' };
  return { kind: 'ended', code: exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

function gathered(stream: Readable | null): { readonly text: () => string; readonly read: Promise<void> } {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on('data', (chunk: Buffer) => {
    if (bytes < OUTPUT_LIMIT) chunks.push(chunk);
    bytes += chunk.length;
  });
  const read = new Promise<void>((resolve) => {
    if (stream === null) resolve();
    stream?.once('close', resolve);
  });
  return { text: () => Buffer.concat(chunks).toString('utf8').slice(0, OUTPUT_LIMIT), read };
}
