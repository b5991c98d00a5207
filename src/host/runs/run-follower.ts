import { setTimeout as delay } from 'node:timers/promises';
import { findProcess } from '../../process/families/process-table.js';
import { signalProcess } from '../../process/families/signal-process.js';
import { errnoOf } from '../../process/files/errno.js';
import type { NumberedLine } from '../../process/files/line-journal.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import type { ThreadId } from '../../protocol/id.js';
import type { ProcessIdentity } from '../../protocol/run.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { Clock } from '../clock.js';
import type { RunSettlement } from '../recovery/settle-run.js';
import type { ThreadChanges } from '../threads/thread-changes.js';
import type { WorkerDeadline } from '../workers/worker-deadline.js';
import type { AttachedRunners } from './attached-runners.js';
import type { CommandDelivery } from './command-delivery.js';
import type { CommentDelivery } from './comment-delivery.js';
import { EventIntake } from './event-intake.js';
import type { EventRecorder } from './event-recorder.js';
import type { Failpoint } from './failpoint.js';
import { JournalGap } from './journal-gap.js';
import type { RunFolders } from './run-folder.js';
import { patchLiveRun } from './run-record.js';
import type { RunSecrets } from './run-secrets.js';
import { RunnerConnection, RunnerHungUp, type TransientLine } from './runner-connection.js';

const lookAgainMs = 100;
// A runner binds its socket within a second or two; one whose start nobody recorded gets this long to show up.
const showUpMs = 15_000;
const againMs = { first: 1000, last: 15_000 };
// A runner says every five seconds that it works; after three looks at nothing it is said not to answer.
const lookForSignsMs = 5000;
// A runner reads its journal anew for every connection; what is missing each time is gone.
const mostGaps = 3;
// One that is killed as it is greeted hangs up once; its end is told as that of any other.
const mostHangUps = 3;
const looksWithoutSign = 3;

/** Shows live text to whoever looks at the thread. */
export interface TransientLines {
  publishTransient(threadId: ThreadId, line: TransientLine): void;
}

export interface RunFollowerParts {
  readonly changes: ThreadChanges;
  readonly recorder: EventRecorder;
  readonly delivery: CommandDelivery;
  readonly comments: CommentDelivery;
  readonly runners: AttachedRunners;
  readonly settlement: RunSettlement;
  readonly folders: RunFolders;
  readonly secrets: RunSecrets;
  readonly liveText: TransientLines;
  readonly deadline: WorkerDeadline;
  readonly clock: Clock;
  /** Which life of the worker this is; a newer one evicts an older one at the runner. */
  readonly epoch: number;
  readonly log: (line: string) => void;
  readonly failpoint: (name: Failpoint) => void;
}

/**
 * Follows one run until it is settled: attaches to its runner whenever it can be reached, records its events,
 * acknowledges only what is committed, and hands the run over to be settled once the runner is gone.
 */
export class RunFollower {
  /** Settles when the run is, or when the worker lets go of it. */
  readonly done: Promise<void>;
  readonly run: StoredRun;
  readonly #parts: RunFollowerParts;
  readonly #letGo = new AbortController();
  #lastRunSeq: number;
  #process: ProcessIdentity | undefined;
  #connection: RunnerConnection | null = null;
  #isSilent = false;
  /** What was said to be wrong since something last went well. */
  readonly #problems = new Set<string>();
  #againMs = againMs.first;
  #gaps = 0;
  #hangUps = 0;

  constructor(run: StoredRun, parts: RunFollowerParts) {
    this.run = run;
    this.#parts = parts;
    this.#process = run.process;
    this.#lastRunSeq = run.lastRunSeq;
    this.done = this.#follow();
  }

  /** Leaves the runner alone; it goes on without this worker. */
  async letGo(): Promise<void> {
    this.#letGo.abort();
    await this.#connection?.[Symbol.asyncDispose]();
    await this.done;
  }

  async #follow(): Promise<void> {
    while (!this.#letGo.signal.aborted) {
      const reached = await this.#endured(async () => await this.#look());
      if (this.#letGo.signal.aborted) return;
      // Also when somebody else listens where a runner was that is dead.
      const end = await this.#endured(async () => await this.#settleIfGone());
      if (end === 'settled') return;
      if (this.#gaps >= mostGaps) this.#endRunner();
      else if (reached === 'failed' || end === 'failed') await this.#pauseLonger();
      await this.#pause(lookAgainMs);
    }
  }

  /** Attends to the runner for as long as it can be reached. */
  async #look(): Promise<void> {
    const reached = await RunnerConnection.open(this.#parts.folders.socket(this.run.id));
    // Whoever let go meanwhile had no connection yet that they could have closed.
    if (this.#letGo.signal.aborted) {
      if (reached.kind === 'connected') await reached.connection[Symbol.asyncDispose]();
      return;
    }
    if (reached.kind === 'connected') await this.#attend(reached.connection);
    if (this.#letGo.signal.aborted) return;
    if (reached.kind === 'silent') await this.#setSilent(true);
    if (reached.kind === 'foreign') await this.#tellProblem(reached.why);
  }

  async #settleIfGone(): Promise<'settled' | 'lives'> {
    if (this.#mayComeBack()) return 'lives';
    const { settlement } = this.#parts;
    await settlement.settle(this.run, { process: this.#process, lastRunSeq: this.#lastRunSeq });
    return 'settled';
  }

  /**
   * Whatever fails is tried again: a full disk and a table of open files without room pass, and the runner keeps what was
   * not acknowledged. A run that nobody follows would wait for ever, and so would whoever stops it.
   */
  async #endured<Result>(act: () => Promise<Result>): Promise<Result | 'failed'> {
    try {
      return await act();
    } catch (error) {
      if (error instanceof RunnerHungUp && (this.#hangUps += 1) < mostHangUps) return 'failed';
      const why = errorSentence(error);
      // What the system refuses names another file each time.
      const problem = errnoOf(error) ?? why;
      if (!this.#problems.has(problem)) this.#parts.log(`${this.run.id}: ${why}`);
      this.#problems.add(problem);
      if (error instanceof JournalGap) this.#gaps += 1;
      return 'failed';
    }
  }

  async #attend(connection: RunnerConnection): Promise<void> {
    const { runners, epoch, failpoint, liveText, secrets, deadline } = this.#parts;
    const { id, threadId } = this.run;
    this.#connection = connection;
    try {
      await connection.attach({
        runId: id,
        secret: secrets.of(id),
        epoch,
        afterRunSeq: this.#lastRunSeq,
      });
      const { pid, startTime, bootId } = connection.hello;
      await this.#identify({ pid, startTime, bootId });
    } catch (error) {
      this.#connection = null;
      await connection[Symbol.asyncDispose]();
      throw error;
    }
    this.#hangUps = 0;
    const attached = runners.attach(id, connection);
    const renewed = deadline.attach(id);
    void this.#catchUp();
    const watch = this.#watchSigns(connection);
    const intake = new EventIntake(connection, {
      lastRecorded: this.#lastRunSeq,
      target: {
        record: async (lines) => await this.#record(lines),
        show: (line) => liveText.publishTransient(threadId, line),
      },
      failpoint,
    });
    try {
      await intake.run();
    } finally {
      clearInterval(watch);
      renewed[Symbol.dispose]();
      attached[Symbol.dispose]();
      this.#connection = null;
      await connection[Symbol.asyncDispose]();
    }
  }

  /** Whether the runner answers; one that hangs shows in the status of its thread, and can be ended without waiting. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Looks are counted, not time: after this process itself was stopped, what has come meanwhile is still to be read. */
  #watchSigns(connection: RunnerConnection): NodeJS.Timeout {
    let looks = 0;
    void this.#setSilent(false);
    return setInterval(() => {
      looks = connection.hasSpoken() ? 0 : looks + 1;
      void this.#setSilent(looks >= looksWithoutSign);
    }, lookForSignsMs);
  }

  async #setSilent(isSilent: boolean): Promise<void> {
    if (this.#isSilent === isSilent) return;
    this.#isSilent = isSilent;
    const { changes, log } = this.#parts;
    const message = isSilent
      ? 'The runner of the agent does not answer. Its process hangs or was stopped.'
      : 'The runner of the agent answers again.';
    log(`${this.run.id}: ${message}`);
    try {
      await changes.commit(this.run.threadId, (state) => {
        if (state.run?.run.id !== this.run.id) return null;
        return {
          operations: [],
          events: [{ type: 'notice', message }],
          state: { ...state, run: { ...state.run, isSilent } },
          result: undefined,
        };
      });
    } catch (error) {
      log(`${this.run.id}: ${errorSentence(error)}`);
    }
  }

  /** Said once in the thread, and not with every look. */
  async #tellProblem(why: string): Promise<void> {
    if (this.#problems.has(why)) return;
    this.#problems.add(why);
    const message = `The runner of the agent cannot be used: ${why}.`;
    this.#parts.log(`${this.run.id}: ${message}`);
    await this.#parts.changes.append(this.run.threadId, [{ type: 'notice', message }]);
  }

  /** Whatever the runner has given no receipt for is sent again. */
  async #catchUp(): Promise<void> {
    try {
      // First, so that the agent knows the comments before it hears of them.
      await this.#parts.comments.tell(this.run);
      await this.#parts.delivery.catchUp(this.run);
    } catch (error) {
      this.#parts.log(`${this.run.id}: ${errorSentence(error)}`);
    }
  }

  /** A worker that died right after the start could not record which process it had started; the runner itself tells. */
  async #identify(process: ProcessIdentity): Promise<void> {
    if (this.#process === undefined) await patchLiveRun(this.#parts.changes, this.run, { process });
    this.#process = process;
  }

  async #record(lines: readonly NumberedLine[]): Promise<number> {
    this.#lastRunSeq = await this.#parts.recorder.record(this.run, lines);
    this.#problems.clear();
    this.#gaps = 0;
    this.#againMs = againMs.first;
    this.#parts.failpoint('committed');
    return this.#lastRunSeq;
  }

  /** Ends a runner that cannot be followed; its run is settled as that of any other that died. */
  #endRunner(): void {
    this.#gaps = 0;
    this.#parts.log(
      `${this.run.id}: its runner is killed, because it has lost events that were not recorded.`,
    );
    if (this.#process) signalProcess(this.#process, 'SIGKILL');
  }

  /** Whether the runner lives, or may still be starting. */
  #mayComeBack(): boolean {
    if (this.#process) return findProcess(this.#process) !== null;
    return this.#parts.clock.now() - Date.parse(this.run.startedAt) < showUpMs;
  }

  /** The longer nothing goes well, the less often it is tried. */
  async #pauseLonger(): Promise<void> {
    await this.#pause(this.#againMs);
    this.#againMs = Math.min(2 * this.#againMs, againMs.last);
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#letGo.signal }).catch(() => {});
  }
}
