import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inheritedFacts, noFacts, type RunFacts, withoutSaved } from '../domain/run-facts.js';
import { sealedPosture } from '../domain/sealed-posture.js';
import { spawnDetached } from '../process/detached-child.js';
import { signalProcess } from '../process/signal-process.js';
import { Failure } from '../protocol/failure.js';
import type { RunId, ThreadId } from '../protocol/id.js';
import type { Posture, RuntimeName } from '../protocol/posture.js';
import type { ProcessIdentity } from '../protocol/run.js';
import type { ThreadEventBody } from '../protocol/thread-event.js';
import type { RunPatch } from '../store/operation.js';
import type { Store } from '../store/store.js';
import type { Amendment, StoredRun } from '../store/stored-run.js';
import { LeftInWorkspace } from './left-in-workspace.js';
import { type Asking, PromptFold } from './prompt-fold.js';
import { Recorder } from './recorder.js';
import { RunFolders } from './run-folder.js';
import { memoryOf } from './run-memory.js';
import { type RunClosing, RunWatch, type WatchOutside } from './run-watch.js';
import { runnerArguments } from './runner-arguments.js';
import type { ReadSavedSession } from './saved-session.js';
import { SpareRunner } from './spare-runner.js';
import type { ThreadBook } from './thread-book.js';
import { endOf, type ThreadState } from './thread-state.js';

const spareDelayMs = 1000;

export interface WorkerOutside extends Pick<WatchOutside, 'now' | 'log' | 'failpoint' | 'aside'> {
  readonly store: Store;
  /** Folder of this worker's sockets, spools and launch files. */
  readonly home: string;
  /** How a runner is started: the program and what comes before its arguments. */
  readonly runner: { readonly file: string; readonly args: readonly string[] };
  /** What agents inherit. */
  readonly env: Readonly<Record<string, string>>;
  readonly book: ThreadBook;
  readonly newRunId: () => RunId;
  readonly asking: Asking;
  readonly savedSession: ReadSavedSession;
  /** The runtime to keep a warm runner for, if any. */
  readonly keepSpare?: RuntimeName;
  readonly recorded?: WatchOutside['recorded'];
  readonly attached?: WatchOutside['attached'];
}

/** What a run is started with. */
export interface RunRequest {
  readonly threadId: ThreadId;
  readonly runtime: RuntimeName;
  readonly cwd: string;
  readonly posture: Posture;
  /** The runtime's session to go on with. */
  readonly resume?: string;
  readonly fork?: boolean;
  /** The piece of work that it is for. */
  readonly work?: string;
  /** False: nothing of the project's that could start a program is read. */
  readonly projectCode?: boolean;
  /** The session of the work that is under way is lost. */
  readonly startsAfresh?: boolean;
}

/** Owns the runs of one machine. Ending it ends nothing else: its runners go on, and the next worker finds them. */
export class Worker implements AsyncDisposable {
  readonly #outside: WorkerOutside;
  readonly #folders: RunFolders;
  readonly #recorder: Recorder;
  readonly #watches = new Map<RunId, RunWatch>();
  #spare: SpareRunner | null = null;
  #spares = 0;
  #spareTimer: NodeJS.Timeout | undefined;

  private constructor(outside: WorkerOutside) {
    this.#outside = outside;
    this.#folders = new RunFolders(outside.home);
    this.#recorder = new Recorder(outside.book, outside.asking);
  }

  /** Opens the worker and takes up every run that has not ended. */
  static async open(outside: WorkerOutside): Promise<Worker> {
    const worker = new Worker(outside);
    let cursor: string | undefined;
    do {
      const page = await outside.store.query('runs', {
        ended: false,
        ...(cursor === undefined ? {} : { cursor }),
      });
      for (const run of page.rows) worker.#watch(run);
      cursor = page.next;
    } while (cursor !== undefined);
    worker.#prepareSpare();
    return worker;
  }

  get runs(): readonly RunWatch[] {
    return [...this.#watches.values()];
  }

  /** Starts a run: its row is committed before its process, so that no process is unknown. */
  async start(request: RunRequest): Promise<RunWatch> {
    const { book, now } = this.#outside;
    const { threadId, runtime, posture, resume } = request;
    const session = resume === undefined ? {} : { sessionId: resume };
    const startedAt = new Date(now()).toISOString();
    const run = { id: this.#outside.newRunId(), threadId, runtime, posture, startedAt, ...session };
    const stored: StoredRun = { ...run, lastRunSeq: 0, amendments: [] };
    await book.change(threadId, (state) => {
      if (state.run) throw new Failure('conflict', `${threadId} has an agent already.`);
      const facts = { ...firstFacts(request, state), ...session };
      return {
        operations: [{ do: 'insertRun', run: { ...run, facts } }],
        says: [{ type: 'run_started', run: run.id, resumes: resume !== undefined }],
        state: { ...state, end: null, run: { run: stored, facts } },
        result: undefined,
      };
    });
    let process: ProcessIdentity;
    try {
      process = await this.#launch(run.id, request);
    } catch (error) {
      await this.#close(stored, { process: undefined, lastWords: sentence(error) });
      throw error;
    }
    this.#outside.failpoint('spawned');
    await this.#patch(stored, { process });
    return this.#watch({ ...stored, process });
  }

  /** Goes on with the session of a run that has ended, with exactly the posture that it had in the end. */
  async resume(runId: RunId): Promise<RunWatch> {
    const { store } = this.#outside;
    const run = await store.query('run', { id: runId });
    const thread = run && (await store.query('thread', { id: run.threadId }));
    if (!run || !thread) throw new Failure('not_found', `There is no run ${runId}.`);
    if (run.endedAt === undefined)
      throw new Failure('conflict', `${runId} has not ended; its agent is still there.`);
    if (run.sessionId === undefined) throw new Failure('conflict', `${runId} has no session to go on with.`);
    return await this.start({
      threadId: run.threadId,
      runtime: run.runtime,
      cwd: thread.workspace.path,
      posture: sealedPosture(run),
      resume: run.sessionId,
    });
  }

  /** Changes a running agent's model or mode; recorded with its actor before the agent hears of it. */
  async amend(runId: RunId, change: Amendment): Promise<void> {
    const run = await this.#outside.store.query('run', { id: runId });
    if (!run || run.endedAt !== undefined) throw new Failure('not_found', `${runId} is not running.`);
    const { posture, actor } = change;
    const amendments = [...run.amendments, change];
    await this.#patch(run, { amendments }, [{ type: 'posture_amended', posture, actor }]);
    const commandId = `${runId}-amendment-${amendments.length}`;
    const { model, permissionMode } = posture;
    const watch = this.watch(runId);
    if (model !== undefined) watch?.send({ type: 'set_model', model, commandId: `${commandId}-model` });
    if (permissionMode !== undefined)
      watch?.send({ type: 'set_permission_mode', permissionMode, commandId: `${commandId}-mode` });
  }

  /** Ends a run: the intent is committed before the signal, so that our own kill is never taken for a crash. */
  async end(runId: RunId, reason: string): Promise<void> {
    const { store, now } = this.#outside;
    const run = await store.query('run', { id: runId });
    if (!run?.process || run.endedAt !== undefined) return;
    await this.#patch(run, { killIntent: { reason, at: new Date(now()).toISOString() } });
    signalProcess(run.process, 'SIGTERM');
    this.#outside.failpoint('signalled');
    await this.#watches.get(runId)?.done;
  }

  watch(runId: RunId): RunWatch | undefined {
    return this.#watches.get(runId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#spareTimer);
    await this.#spare?.dismiss();
    await Promise.all(this.runs.map(async (watch) => await watch.letGo()));
  }

  #watch(run: StoredRun): RunWatch {
    const watch = new RunWatch(run, {
      ...this.#outside,
      recorder: this.#recorder,
      folders: this.#folders,
      recorded: this.#outside.recorded ?? (() => {}),
      attached: this.#outside.attached ?? (() => {}),
      shownUp: async (shown, process) => await this.#patch(shown, { process }),
      left: async ({ threadId }) => {
        const { thread, run: live } = await this.#outside.book.state(threadId);
        return { workspace: new LeftInWorkspace(thread.workspace.path), facts: live?.facts ?? noFacts };
      },
      close: async (closed, closing) => await this.#close(closed, closing),
    });
    this.#watches.set(run.id, watch);
    void this.#forget(watch);
    return watch;
  }

  /** Changes the row of a run and what the book knows of it. */
  async #patch(
    { id, threadId }: StoredRun,
    patch: Pick<RunPatch, 'process' | 'amendments' | 'killIntent'>,
    says: readonly ThreadEventBody[] = [],
  ): Promise<void> {
    await this.#outside.book.change(threadId, (state) => {
      if (state.run?.run.id !== id) return null;
      const { process, amendments, killIntent } = patch;
      const run = {
        ...state.run.run,
        ...(process ? { process } : {}),
        ...(amendments ? { amendments: [...amendments] } : {}),
        ...(killIntent ? { killIntent } : {}),
      };
      return {
        operations: [{ do: 'patchRun', runId: id, patch }],
        says,
        state: { ...state, run: { ...state.run, run } },
        result: undefined,
      };
    });
  }

  /** The runner is gone and read to its end: the run is closed, once. */
  async #close({ id, threadId }: StoredRun, { process, lastWords }: RunClosing): Promise<void> {
    const memory = process ? await memoryOf({ threadId, runId: id, process }, this.#outside) : null;
    await this.#outside.book.change(threadId, (state) => {
      if (state.run?.run.id !== id) return null;
      const endedAt = new Date(this.#outside.now()).toISOString();
      const { run, facts: known } = state.run;
      const facts = {
        ...(memory ? withoutSaved(known, (uuid) => memory.saved.hasMessage(uuid)) : known),
        ...(lastWords === undefined ? {} : { lastError: { isLogin: false, message: lastWords } }),
        ...(memory?.isLost ? { sessionLost: true } : {}),
      };
      const prompts = new PromptFold(state);
      if (memory) prompts.compare(id, { ...memory, at: endedAt });
      // A runner that died itself could not see how its agent ended.
      const exit = facts.exit ?? { exitCode: null, signal: null, oom: false };
      const ended = { ...run, endedAt, exit, ...(process ? { process } : {}) };
      return {
        operations: [
          {
            do: 'patchRun',
            runId: id,
            patch: { endedAt, exit, facts, ...(process ? { process } : {}) },
            if: { ended: false },
          },
          ...prompts.operations,
        ],
        says: [
          {
            type: 'run_ended',
            run: id,
            exit,
            ...(run.killIntent === undefined ? {} : { reason: run.killIntent.reason }),
          },
        ],
        state: { ...state, prompts: prompts.prompts, run: null, end: endOf(ended, facts) },
        result: undefined,
      };
    });
  }

  async #forget(watch: RunWatch): Promise<void> {
    try {
      await watch.done;
    } catch (error) {
      this.#outside.log(`${watch.run.id}: ${error instanceof Error ? error.message : String(error)}`);
    }
    this.#watches.delete(watch.run.id);
  }

  /** From the spare if it fits and lives, else cold; both get the same arguments. */
  async #launch(runId: RunId, request: RunRequest): Promise<ProcessIdentity> {
    const { args, env, folder } = this.#prepare(runId, request);
    const spare = this.#spare?.runtime === request.runtime ? this.#spare : null;
    if (spare) this.#spare = null;
    const { posture } = request;
    const spool = this.#folders.spool(runId);
    const warm = await spare?.launch({
      type: 'launch',
      runId,
      spool,
      posture,
      args,
      ...(posture.env ? { env: posture.env } : {}),
    });
    this.#prepareSpare();
    const { file, args: first } = this.#outside.runner;
    return (
      warm ??
      spawnDetached({
        file,
        args: [...first, ...args],
        cwd: request.cwd,
        env,
        outputFile: join(folder, 'output.log'),
      })
    );
  }

  /** A moment later, because a runner that loads competes with the launch, or the start, that is under way. */
  #prepareSpare(): void {
    const { keepSpare } = this.#outside;
    if (!keepSpare) return;
    clearTimeout(this.#spareTimer);
    this.#spareTimer = setTimeout(() => {
      this.#spare ??= this.#newSpare(keepSpare);
    }, spareDelayMs);
  }

  #newSpare(runtime: RuntimeName): SpareRunner {
    const { home, runner, env } = this.#outside;
    this.#spares += 1;
    mkdirSync(join(home, 's'), { recursive: true, mode: 0o700 });
    return new SpareRunner(
      runtime,
      join(home, 's', `spare-${this.#outside.store.worker.epoch}-${this.#spares}`),
      {
        ...runner,
        cwd: home,
        env,
        outputFile: join(home, 'spare.log'),
      },
    );
  }

  #prepare(runId: RunId, request: RunRequest) {
    const folder = this.#folders.launch(runId);
    for (const made of [folder, join(this.#outside.home, 'spools')])
      mkdirSync(made, { recursive: true, mode: 0o700 });
    const { args, files } = runnerArguments(
      request.posture,
      {
        runtime: request.runtime,
        cwd: request.cwd,
        conversationId: request.threadId,
        socket: this.#folders.socket(runId),
        spool: this.#folders.spool(runId),
        ...(request.resume === undefined ? {} : { resume: request.resume }),
        fork: request.fork ?? false,
        projectCode: request.projectCode ?? true,
      },
      (name) => join(folder, name),
    );
    for (const { name, content } of files) writeFileSync(join(folder, name), content, { mode: 0o600 });
    return { args, folder, env: { ...this.#outside.env, ...request.posture.env } };
  }
}

/** A run of the same work takes up where the last one was let go or died; other work starts anew. */
function firstFacts({ resume, work, startsAfresh }: RunRequest, { end, prompts }: ThreadState): RunFacts {
  if (!end) return noFacts;
  const isSame = work !== undefined && end.facts.work === work;
  const { takesUp: call, ...facts } = inheritedFacts(end.facts);
  const known = isSame ? { ...facts, ...(startsAfresh ? { startsAfresh } : {}) } : noFacts;
  if (resume === undefined || call === undefined) return known;
  // A call that was let go asks again in the next life of its session, whatever became of its question meanwhile.
  const isWanted = prompts.some(({ toolUseId }) => toolUseId === call);
  return isWanted ? { ...known, takesUp: call } : { ...known, declines: call };
}

function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
