import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunFacts } from '../domain/run-facts.js';
import { killLeftovers } from '../process/leftovers.js';
import { type NumberedLine, readJournal } from '../process/line-journal.js';
import { ProcessFamily } from '../process/process-family.js';
import { findProcess } from '../process/process-table.js';
import { runMarker } from '../process/run-marker.js';
import { Failure } from '../protocol/failure.js';
import type { ProcessIdentity } from '../protocol/run.js';
import type { Store } from '../store/store.js';
import type { StoredRun } from '../store/stored-run.js';
import { type Aside, Conversation } from './conversation.js';
import type { LeftInWorkspace } from './left-in-workspace.js';
import type { Recorder } from './recorder.js';
import type { RunFolders } from './run-folder.js';
import { RunnerLink } from './runner-link.js';

const lookAgainMs = 100;
// A runner binds its socket within a second or two; one whose start nobody recorded gets this long to show up.
const showUpMs = 15_000;
const storeAgainMs = 1000;
const unitLines = 500;
const unitBytes = 4 * 2 ** 20;

/** Moments at which a test may kill the worker. */
export type Failpoint = 'received' | 'committed' | 'acknowledged' | 'spawned' | 'signalled';

export interface WatchOutside {
  readonly store: Store;
  readonly recorder: Recorder;
  readonly folders: RunFolders;
  readonly now: () => number;
  readonly log: (line: string) => void;
  readonly failpoint: (name: Failpoint) => void;
  /** Live text and the like, which is told and forgotten. */
  readonly aside: (run: StoredRun, said: Aside) => void;
  /** Lines that are committed. */
  readonly recorded: (run: StoredRun, lines: readonly NumberedLine[]) => void;
  /** The runner can be reached now; whatever it has given no receipt for may be sent again. */
  readonly attached: (run: StoredRun) => void;
  /** The runner has said which process it is, which nobody had recorded. */
  readonly shownUp: (run: StoredRun, process: ProcessIdentity) => Promise<void>;
  /** What the run's workspace may hold of a runner that was killed, and what is known of the run. */
  readonly left: (
    run: StoredRun,
  ) => Promise<{ readonly workspace: LeftInWorkspace; readonly facts: RunFacts }>;
  /** Closes the run with what is known of its end. */
  readonly close: (run: StoredRun, end: RunClosing) => Promise<void>;
}

/** What is known when a runner is gone. */
export interface RunClosing {
  readonly process: ProcessIdentity | undefined;
  /** What the runner printed, when it never got so far as to report anything. */
  readonly lastWords: string | undefined;
}

/**
 * Follows one run until it is settled: attaches to its runner whenever it can be reached, records what it says,
 * acknowledges only what is committed, and, once the runner is gone, reads its spool to the end.
 */
export class RunWatch {
  /** Settles when the run is, or when the worker lets go of it. */
  readonly done: Promise<void>;
  readonly run: StoredRun;
  readonly #outside: WatchOutside;
  readonly #letGo = new AbortController();
  #lastRunSeq: number;
  #process: ProcessIdentity | undefined;
  #link: RunnerLink | null = null;

  constructor(run: StoredRun, outside: WatchOutside) {
    this.run = run;
    this.#outside = outside;
    this.#process = run.process;
    this.#lastRunSeq = run.lastRunSeq;
    this.done = this.#follow();
  }

  /** Sends a command if the runner is attached; its receipt arrives as a recorded event. */
  send(command: object): boolean {
    this.#link?.send(command);
    return this.#link !== null;
  }

  /** Whether the runner can be reached now. */
  get isAttached(): boolean {
    return this.#link !== null;
  }

  /** Leaves the runner alone; it goes on without this worker. */
  async letGo(): Promise<void> {
    this.#letGo.abort();
    await this.#link?.[Symbol.asyncDispose]();
    await this.done;
  }

  async #follow(): Promise<void> {
    const { folders } = this.#outside;
    while (!this.#letGo.signal.aborted) {
      try {
        const link = await RunnerLink.open(folders.socket(this.run.id));
        if (link) await this.#converse(link);
        if (this.#letGo.signal.aborted) return;
        if (!this.#mayComeBack()) {
          await this.#settle();
          return;
        }
      } catch (error) {
        // A full disk passes; the runner keeps what was not acknowledged. What does not pass ends the watch.
        if (!(error instanceof Failure && error.code === 'unavailable')) throw error;
        this.#outside.log(`${this.run.id}: ${error.message}`);
        await this.#pause(storeAgainMs);
      }
      await this.#pause(lookAgainMs);
    }
  }

  async #converse(link: RunnerLink): Promise<void> {
    this.#link = link;
    const { pid, startTime, bootId } = link.hello;
    await this.#isProcess({ pid, startTime, bootId });
    link.attach({
      afterRunSeq: this.#lastRunSeq,
      epoch: this.#outside.store.worker.epoch,
      live: true,
    });
    this.#outside.attached(this.run);
    const conversation = new Conversation(link, this.#lastRunSeq, {
      record: async (lines) => {
        await this.#record(lines);
        return this.#lastRunSeq;
      },
      aside: (aside) => this.#outside.aside(this.run, aside),
      failpoint: this.#outside.failpoint,
    });
    try {
      await conversation.run();
    } finally {
      this.#link = null;
      await link[Symbol.asyncDispose]();
    }
  }

  /** A worker that died right after the start could not say which process it had started; the runner itself does. */
  async #isProcess(process: ProcessIdentity): Promise<void> {
    const isKnown = this.#process !== undefined;
    this.#process = process;
    if (!isKnown) await this.#outside.shownUp(this.run, process);
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#letGo.signal }).catch(() => {});
  }

  async #record(lines: readonly NumberedLine[]): Promise<void> {
    this.#lastRunSeq = await this.#outside.recorder.record(this.run, lines);
    this.#outside.failpoint('committed');
    this.#outside.recorded(this.run, lines);
  }

  /** Whether the runner lives, or may still be starting. */
  #mayComeBack(): boolean {
    if (this.#process) return findProcess(this.#process) !== null;
    return this.#outside.now() - Date.parse(this.run.startedAt) < showUpMs;
  }

  /** The runner is gone: its last words are read, its strays ended, and the run is closed with what is known. */
  async #settle(): Promise<void> {
    const { folders } = this.#outside;
    const spool = folders.spool(this.run.id);
    for (const lines of batches(safeJournal(spool, this.#lastRunSeq))) await this.#record(lines);
    if (this.#process) {
      await killLeftovers(new ProcessFamily({ marker: runMarker(this.#process) }), {
        settleMs: 0,
        killMs: 2000,
      });
    }
    await this.#lookInWorkspace();
    await this.#outside.close(this.run, {
      process: this.#process,
      lastWords: this.#lastRunSeq === 0 ? lastWords(folders.launch(this.run.id)) : undefined,
    });
    for (const path of [spool, folders.launch(this.run.id), folders.socket(this.run.id)]) {
      rmSync(path, { recursive: true, force: true });
    }
  }

  /** Only now nobody of the run writes there any more. A question is recorded as if the runner had told it. */
  async #lookInWorkspace(): Promise<void> {
    const { workspace, facts } = await this.#outside.left(this.run);
    const question = workspace.question(facts);
    if (question) {
      const runSeq = this.#lastRunSeq + 1;
      const timestamp = new Date(this.#outside.now()).toISOString();
      await this.#record([{ seq: runSeq, text: JSON.stringify({ ...question, timestamp, runSeq }) }]);
    }
    workspace.tidy(question);
  }
}

function lastWords(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, 'output.log'), 'utf8').trim().slice(-2000) || undefined;
  } catch {
    return undefined;
  }
}

function* safeJournal(spool: string, after: number): Generator<NumberedLine> {
  try {
    yield* readJournal(spool, after);
  } catch (error) {
    // A runner that never got so far has no spool.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

function* batches(lines: Iterable<NumberedLine>): Generator<NumberedLine[]> {
  let batch: NumberedLine[] = [];
  let bytes = 0;
  for (const line of lines) {
    batch.push(line);
    bytes += line.text.length;
    if (batch.length < unitLines && bytes < unitBytes) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}
