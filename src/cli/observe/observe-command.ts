import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { noSigns } from '../../domain/status/agent-signs.js';
import { observe, observedStatus } from '../../domain/status/observed-status.js';
import { OutputGuess } from '../../domain/status/output-guess.js';
import { Failure } from '../../protocol/failure.js';
import type { StatusFact, StatusReport } from '../../protocol/status.js';
import { pipeBytes } from './channel-lines.js';
import type { ObservedFacts, ObserverReports } from './observer-reports.js';

const source = 'terminal';

/**
 * Runs any command in this terminal and guesses from what it writes and what is typed whether it works: a weak fallback for
 * agents that tell nothing. `script` makes the terminal and copies both, so that the command notices nothing.
 */
export async function observeCommand(
  reports: ObserverReports,
  {
    id,
    facts,
    command,
    idleAfterMs,
  }: {
    readonly id: string;
    readonly facts: ObservedFacts;
    readonly command: readonly string[];
    readonly idleAfterMs: number;
  },
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'handraise-observed-'));
  const [output, input] = [join(folder, 'output'), join(folder, 'input')];
  const stop = new AbortController();
  try {
    makePipes([output, input]);
    const guess = new Guess(idleAfterMs, (status) => reports.tell(id, facts, status));
    const reading = [
      follow(pipeBytes(output, stop.signal), (text) => guess.wrote(text)),
      follow(pipeBytes(input, stop.signal), () => guess.typed()),
    ];
    const child = spawnScript(command, { output, input });
    const [code, signal] = await ended(child);
    stop.abort();
    await Promise.allSettled(reading);
    guess.end();
    if (code !== 0) reports.tell(id, facts, exitStatus(code, signal));
    return code ?? 128 + (signal ? constants.signals[signal] : 0);
  } finally {
    stop.abort();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tells what can be guessed, and keeps the time of silence. */
class Guess {
  readonly #tell: (status: StatusReport) => void;
  readonly #guess = new OutputGuess({ isTypedInto: true });
  readonly #timer: NodeJS.Timeout;
  #signs = noSigns;

  constructor(idleAfterMs: number, tell: (status: StatusReport) => void) {
    this.#tell = tell;
    this.#timer = setTimeout(() => this.#take(this.#guess.silent()), idleAfterMs);
    this.#tell(observedStatus(this.#signs));
  }

  wrote(text: string): void {
    this.#take(this.#guess.wrote(text));
    this.#timer.refresh();
  }

  typed(): void {
    this.#take(this.#guess.typed());
    this.#timer.refresh();
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #take(fact: StatusFact | null): void {
    if (fact === null) return;
    const at = new Date().toISOString();
    this.#signs = observe(this.#signs, { fact, source, confidence: 'weak', at });
    this.#tell(observedStatus(this.#signs));
  }
}

async function follow(pieces: AsyncIterable<string>, take: (text: string) => void): Promise<void> {
  for await (const piece of pieces) take(piece);
}

function makePipes(paths: readonly string[]): void {
  const made = spawnSync('mkfifo', ['-m', '600', ...paths], { stdio: 'ignore' });
  if (made.status !== 0)
    throw new Failure('not_installed', 'mkfifo is needed to observe a command, and could not be run.');
}

function spawnScript(
  command: readonly string[],
  { output, input }: { readonly output: string; readonly input: string },
): ChildProcess {
  const line = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const child = spawn('script', ['-q', '-e', '-f', '-O', output, '-I', input, '-c', `exec ${line}`], {
    stdio: 'inherit',
  });
  // The terminal tells the command itself.
  for (const key of ['SIGINT', 'SIGQUIT'] as const) process.on(key, () => {});
  for (const end of ['SIGTERM', 'SIGHUP'] as const) process.on(end, () => child.kill(end));
  return child;
}

async function ended(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  try {
    const [code, signal] = await once(child, 'exit');
    return [typeof code === 'number' ? code : null, signal];
  } catch {
    throw new Failure(
      'not_installed',
      'script (of util-linux 2.35 or later) is needed to observe a command, and could not be started.',
    );
  }
}

function exitStatus(code: number | null, signal: NodeJS.Signals | null): StatusReport {
  return {
    state: 'crashed',
    exitCode: code,
    ...(signal && { signal }),
    why: 'the command failed',
    source: 'process',
    confidence: 'authoritative',
  };
}
