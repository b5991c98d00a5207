import { setTimeout as delay } from 'node:timers/promises';
import { firstFacts } from '../../domain/run/run-work.js';
import { signalProcess } from '../../process/families/signal-process.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { RunId } from '../../protocol/id.js';
import type { ProcessIdentity } from '../../protocol/run.js';
import type { Store } from '../../store/store.js';
import type { Amendment, StoredRun } from '../../store/stored-run.js';
import { instant } from '../clock.js';
import { expectNoTerminal } from '../terminals/expect-no-terminal.js';
import { RunFollower, type RunFollowerParts } from './run-follower.js';
import { patchLiveRun } from './run-record.js';
import type { RunnerProcesses, RunnerStart } from './runner-processes.js';

// A runner ends its agent politely first (up to 21 s), and a full disk may keep it from writing the last events (20 s).
const patienceMs = 45_000;
const lookMs = 100;

/** What a run is started with. */
export interface RunRequest extends RunnerStart {
  /** The piece of work that it is for. */
  readonly work?: string;
  /** The session of the work that is under way is lost. */
  readonly startsAfresh?: boolean;
}

export interface RunSupervisorParts {
  readonly store: Store;
  readonly processes: RunnerProcesses;
  readonly newRunId: () => RunId;
  /** What every run is followed with. */
  readonly following: RunFollowerParts;
}

/** Owns the runs of one machine. Ending it ends nothing else: its runners go on, and the next worker finds them. */
export class RunSupervisor implements AsyncDisposable {
  readonly #parts: RunSupervisorParts;
  readonly #followers = new Map<RunId, RunFollower>();
  /** Runs whose row is there and whose process is not yet. */
  readonly #starting = new Map<RunId, Promise<unknown>>();
  #isLeaving = false;

  constructor(parts: RunSupervisorParts) {
    this.#parts = parts;
  }

  /** Takes up every run that has not ended. */
  async open(): Promise<void> {
    let cursor: string | undefined;
    do {
      const page = await this.#parts.store.query('runs', { ended: false, own: true, ...given({ cursor }) });
      for (const run of page.rows) this.#follow(run);
      cursor = page.next;
    } while (cursor !== undefined);
    this.#parts.following.folders.tidy([...this.#followers.keys()]);
    this.#parts.processes.prepareSpare();
  }

  /** The runs that have not ended. */
  get runs(): readonly StoredRun[] {
    return [...this.#followers.values()].map(({ run }) => run);
  }

  has(runId: RunId): boolean {
    return this.#followers.has(runId);
  }

  /** Whether its runner is there and does not answer. */
  isSilent(runId: RunId): boolean {
    return this.#followers.get(runId)?.isSilent ?? false;
  }

  /** Starts a run: its row is committed before its process, so that no process is unknown. */
  async start(request: RunRequest): Promise<StoredRun> {
    const { newRunId } = this.#parts;
    const { changes, clock } = this.#parts.following;
    const { threadId, runtime, posture, resume } = request;
    const row = {
      id: newRunId(),
      threadId,
      runtime,
      posture,
      startedAt: instant(clock),
      ...given({ sessionId: resume }),
    };
    const stored: StoredRun = { ...row, lastRunSeq: 0, amendments: [] };
    await changes.commit(threadId, (state) => {
      if (state.run) throw new Failure('conflict', `${threadId} already has an agent.`);
      expectNoTerminal(state.thread);
      const facts = firstFacts(request, {
        last: state.end?.facts ?? null,
        isWanted: (call) => state.prompts.some(({ toolUseId, isUntold }) => toolUseId === call && !isUntold),
      });
      return {
        operations: [{ do: 'insertRun', run: { ...row, facts } }],
        events: [{ type: 'run_started', run: row.id, resumes: resume !== undefined }],
        state: { ...state, end: null, run: { run: stored, facts } },
        result: undefined,
      };
    });
    const starting = this.#startProcess(stored, request);
    this.#starting.set(row.id, starting);
    try {
      return await starting;
    } finally {
      this.#starting.delete(row.id);
    }
  }

  async #startProcess(stored: StoredRun, request: RunRequest): Promise<StoredRun> {
    const { changes, failpoint, log } = this.#parts.following;
    let process: ProcessIdentity;
    try {
      process = await this.#parts.processes.start(stored.id, request);
    } catch (error) {
      await this.#closeUnstarted(stored, errorSentence(error));
      throw error;
    }
    failpoint('spawned');
    let run = stored;
    try {
      await patchLiveRun(changes, stored, { process });
      run = { ...stored, process };
    } catch (error) {
      // The runner lives all the same, and tells its follower which process it is.
      log(`${stored.id}: ${errorSentence(error)}`);
    }
    this.#follow(run);
    return run;
  }

  /** A row that cannot be closed now is closed by its follower, when no runner has shown up. */
  async #closeUnstarted(stored: StoredRun, why: string): Promise<void> {
    const { log, settlement } = this.#parts.following;
    try {
      await settlement.close(stored, { process: undefined, error: why });
    } catch (error) {
      log(`${stored.id}: ${errorSentence(error)}`);
      this.#follow(stored);
    }
  }

  /** Records a change of a running agent with its actor; of a change of its mode or thinking it hears afterwards. */
  async amend(runId: RunId, amendment: Amendment): Promise<void> {
    const { changes, runners } = this.#parts.following;
    const run = await this.#parts.store.query('run', { id: runId });
    if (!run || run.endedAt !== undefined) throw new Failure('not_found', `${runId} is not running.`);
    const { posture, actor } = amendment;
    const amendments = [...run.amendments, amendment];
    await patchLiveRun(changes, run, { amendments }, [{ type: 'posture_amended', posture, actor }]);
    const commandId = `${runId}-amendment-${amendments.length}`;
    const { maxThinkingTokens, permissionMode } = posture;
    if (maxThinkingTokens !== undefined)
      runners.send(runId, {
        type: 'set_max_thinking_tokens',
        maxThinkingTokens,
        commandId: `${commandId}-thinking`,
      });
    if (permissionMode !== undefined)
      runners.send(runId, { type: 'set_permission_mode', permissionMode, commandId: `${commandId}-mode` });
  }

  /** Ends a run: the intent is committed before the signal, so that our own kill is never taken for a crash. */
  async end(runId: RunId, reason: string): Promise<void> {
    const { changes, clock, failpoint, log } = this.#parts.following;
    await this.#starting.get(runId)?.catch(() => {});
    const run = await this.#parts.store.query('run', { id: runId });
    if (!run?.process || run.endedAt !== undefined) return;
    await patchLiveRun(changes, run, { killIntent: { reason, at: instant(clock) } });
    signalProcess(run.process, 'SIGTERM');
    failpoint('signalled');
    const follower = this.#followers.get(runId);
    if (!follower || (await this.#endsInTime(follower))) return;
    log(`${runId}: its runner did not end in time and is killed; what it leaves running is ended with it.`);
    signalProcess(run.process, 'SIGKILL');
    await follower.done;
  }

  /** The same for whoever does not wait for it and looks again: says whether it worked, and throws nothing. */
  async tryToEnd(runId: RunId, reason: string): Promise<boolean> {
    try {
      await this.end(runId, reason);
      return true;
    } catch (error) {
      this.#parts.following.log(`${runId}: ${errorSentence(error)}`);
      return false;
    }
  }

  /** A runner that works gets longer than all that it may have to end takes; one that does not answer gets nothing. */
  async #endsInTime(follower: RunFollower): Promise<boolean> {
    let hasEnded = false;
    void follower.done.then(
      () => (hasEnded = true),
      () => (hasEnded = true),
    );
    for (let waited = 0; !follower.isSilent && waited < patienceMs; waited += lookMs) {
      await Promise.race([follower.done, delay(lookMs)]);
      if (hasEnded) return true;
    }
    return false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isLeaving = true;
    await this.#parts.processes[Symbol.asyncDispose]();
    await Promise.all([...this.#followers.values()].map(async (follower) => await follower.letGo()));
  }

  #follow(run: StoredRun): void {
    // The next worker finds it.
    if (this.#isLeaving) return;
    const follower = new RunFollower(run, this.#parts.following);
    this.#followers.set(run.id, follower);
    void this.#untilDone(follower);
  }

  async #untilDone(follower: RunFollower): Promise<void> {
    try {
      await follower.done;
    } catch (error) {
      this.#parts.following.log(`${follower.run.id}: ${errorSentence(error)}`);
    }
    this.#followers.delete(follower.run.id);
  }
}
