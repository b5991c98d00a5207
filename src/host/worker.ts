import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sealedPosture } from '../domain/sealed-posture.js';
import { spawnDetached } from '../process/detached-child.js';
import type { NumberedLine } from '../process/line-journal.js';
import { signalProcess } from '../process/signal-process.js';
import { Failure } from '../protocol/failure.js';
import type { RunId, ThreadId } from '../protocol/id.js';
import type { Posture, RuntimeName } from '../protocol/posture.js';
import type { ProcessIdentity } from '../protocol/run.js';
import type { Store } from '../store/store.js';
import type { Amendment, StoredRun } from '../store/stored-run.js';
import { Recorder } from './recorder.js';
import { RunFolders } from './run-folder.js';
import { RunWatch, type WatchOutside } from './run-watch.js';
import { runnerArguments } from './runner-arguments.js';
import { SpareRunner } from './spare-runner.js';

export interface WorkerOutside extends Pick<WatchOutside, 'now' | 'log' | 'failpoint' | 'aside'> {
  readonly store: Store;
  /** Folder of this worker's sockets, spools and launch files. */
  readonly home: string;
  /** How a runner is started: the program and what comes before its arguments. */
  readonly runner: { readonly file: string; readonly args: readonly string[] };
  /** What agents inherit. */
  readonly env: Readonly<Record<string, string>>;
  readonly newRunId: () => RunId;
  /** The runtime to keep a warm runner for, if any. */
  readonly keepSpare?: RuntimeName;
  readonly recorded?: (run: StoredRun, lines: readonly NumberedLine[]) => void;
}

/** What a run is started with. */
export interface RunRequest {
  readonly threadId: ThreadId;
  readonly runtime: RuntimeName;
  readonly cwd: string;
  readonly posture: Posture;
  /** The runtime's session to go on with. */
  readonly resume?: string;
}

/** Owns the runs of one machine. Ending it ends nothing else: its runners go on, and the next worker finds them. */
export class Worker implements AsyncDisposable {
  readonly #outside: WorkerOutside;
  readonly #folders: RunFolders;
  readonly #recorder: Recorder;
  readonly #watches = new Map<RunId, RunWatch>();
  #spare: SpareRunner | null = null;
  #spares = 0;

  private constructor(outside: WorkerOutside) {
    this.#outside = outside;
    this.#folders = new RunFolders(outside.home);
    this.#recorder = new Recorder(outside.store);
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
    if (outside.keepSpare) worker.#spare = worker.#newSpare(outside.keepSpare);
    return worker;
  }

  get runs(): readonly RunWatch[] {
    return [...this.#watches.values()];
  }

  /** Starts a run: its row is committed before its process, so that no process is unknown. */
  async start(request: RunRequest): Promise<RunWatch> {
    const { store, now } = this.#outside;
    const run = {
      id: this.#outside.newRunId(),
      threadId: request.threadId,
      runtime: request.runtime,
      posture: request.posture,
      startedAt: new Date(now()).toISOString(),
      ...(request.resume === undefined ? {} : { sessionId: request.resume }),
    };
    const inserted = await store.commit({ operations: [{ do: 'insertRun', run }] });
    if (!inserted.committed)
      throw new Failure('conflict', `The run was refused: ${inserted.refusal.because}.`);
    const process = await this.#launch(run.id, request);
    this.#outside.failpoint('spawned');
    await store.commit({ operations: [{ do: 'patchRun', runId: run.id, patch: { process } }] });
    return this.#watch({ ...run, process, lastRunSeq: 0, amendments: [] });
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
    const { store } = this.#outside;
    const run = await store.query('run', { id: runId });
    if (!run || run.endedAt !== undefined) throw new Failure('not_found', `${runId} is not running.`);
    await store.commit({
      operations: [{ do: 'patchRun', runId, patch: { amendments: [...run.amendments, change] } }],
    });
    const commandId = `${runId}-amendment-${run.amendments.length + 1}`;
    const { model, permissionMode } = change.posture;
    if (model !== undefined)
      this.watch(runId)?.send({ type: 'set_model', model, commandId: `${commandId}-model` });
    if (permissionMode !== undefined) {
      this.watch(runId)?.send({
        type: 'set_permission_mode',
        permissionMode,
        commandId: `${commandId}-mode`,
      });
    }
  }

  /** Ends a run: the intent is committed before the signal, so that our own kill is never taken for a crash. */
  async end(runId: RunId, reason: string): Promise<void> {
    const { store, now } = this.#outside;
    const run = await store.query('run', { id: runId });
    if (!run?.process || run.endedAt !== undefined) return;
    await store.commit({
      operations: [
        { do: 'patchRun', runId, patch: { killIntent: { reason, at: new Date(now()).toISOString() } } },
      ],
    });
    signalProcess(run.process, 'SIGTERM');
    this.#outside.failpoint('signalled');
    await this.#watches.get(runId)?.done;
  }

  watch(runId: RunId): RunWatch | undefined {
    return this.#watches.get(runId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#spare?.dismiss();
    await Promise.all(this.runs.map(async (watch) => await watch.letGo()));
  }

  #watch(run: StoredRun): RunWatch {
    const watch = new RunWatch(run, {
      ...this.#outside,
      recorder: this.#recorder,
      folders: this.#folders,
      recorded: this.#outside.recorded ?? (() => {}),
    });
    this.#watches.set(run.id, watch);
    void this.#forget(watch);
    return watch;
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
    if (this.#outside.keepSpare) this.#spare ??= this.#newSpare(this.#outside.keepSpare);
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
      },
      (name) => join(folder, name),
    );
    for (const { name, content } of files) writeFileSync(join(folder, name), content, { mode: 0o600 });
    return { args, folder, env: { ...this.#outside.env, ...request.posture.env } };
  }
}
