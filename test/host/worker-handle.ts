import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { waitUntil } from '../harness/wait-until.js';

export interface Word {
  readonly [field: string]: unknown;
}

export interface WorkerStart {
  readonly home: string;
  readonly workerId: string;
  readonly runner: { readonly file: string; readonly args: readonly string[] };
  readonly env: Readonly<Record<string, string>>;
  readonly keepSpare?: string;
  /** So many commits of events fail as on a full disk. */
  readonly failCommits?: number;
  readonly killAt?: { readonly name: string; readonly after: number };
}

/** A worker process under test. */
export class WorkerHandle {
  readonly words: Word[] = [];
  stderr = '';
  exit: { code: number | null; signal: NodeJS.Signals | null } | null = null;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  #rest = '';

  constructor(start: WorkerStart) {
    const program = new URL('./worker-process.js', import.meta.url).pathname;
    this.#child = spawn(process.execPath, [program, JSON.stringify(start)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child.stdin.on('error', () => {});
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.#child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (this.#rest + chunk).split('\n');
      this.#rest = lines.pop() ?? '';
      this.words.push(...lines.map((line) => JSON.parse(line) as Word));
    });
    this.#child.once('close', (code, signal) => {
      this.exit = { code, signal };
    });
  }

  tell(order: object): void {
    this.#child.stdin.write(`${JSON.stringify(order)}\n`);
  }

  /** The first word that fits, once it is said; undefined when the worker is gone before. */
  async hears(fits: (word: Word) => boolean): Promise<Word | undefined> {
    let found: Word | undefined;
    await waitUntil('the worker says what is waited for', () => {
      found = this.words.find(fits);
      return found !== undefined || this.exit !== null;
    });
    return found ?? this.words.find(fits);
  }

  /** Every line that this worker recorded of a run, in order. */
  recorded(runId: string): Word[] {
    return this.words.filter((word) => word['recorded'] === runId).flatMap((word) => word['lines'] as Word[]);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async gone(): Promise<void> {
    await waitUntil('the worker is gone', () => this.exit !== null);
  }

  /** Ends as a worker should: its runners are left alone. */
  async leave(): Promise<void> {
    this.#child.stdin.end();
    await this.gone();
  }
}
