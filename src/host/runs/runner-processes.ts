import { mkdirSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { spareKind } from '../../domain/run/spare-policy.js';
import { spawnDetached } from '../../process/children/detached-child.js';
import { given } from '../../protocol/given.js';
import type { RunId, ThreadId } from '../../protocol/id.js';
import type { Posture, RuntimeName } from '../../protocol/posture.js';
import type { CodeFile } from '../../protocol/project-code.js';
import type { ProcessIdentity } from '../../protocol/run.js';
import type { WorkerDeadline } from '../workers/worker-deadline.js';
import type { RunFolders } from './run-folder.js';
import type { RunSecrets } from './run-secrets.js';
import { runnerArguments } from './runner-arguments.js';
import { SpareRunners } from './spare-runners.js';

// Whoever has started nothing for this long can wait for a cold start, and has the memory back.
const spareUnusedMs = 3_600_000;

/** What a runner is started with. */
export interface RunnerStart {
  readonly threadId: ThreadId;
  readonly runtime: RuntimeName;
  readonly cwd: string;
  readonly posture: Posture;
  /** The runtime's session to go on with. */
  readonly resume?: string;
  readonly fork?: boolean;
  readonly impatientTools?: readonly string[];
  /** What of the project's own code was approved. */
  readonly projectCode?: readonly CodeFile[];
}

export interface RunnerProcessesOptions {
  /** Folder of this worker's sockets, spools and launch files. */
  readonly home: string;
  readonly folders: RunFolders;
  readonly secrets: RunSecrets;
  /** After this time with nothing to do and no worker a runner ends. */
  readonly idleLimitMs: number;
  /** How a runner is started: the program and what comes before its arguments. */
  readonly runner: { readonly file: string; readonly args: readonly string[] };
  /** What agents inherit. */
  readonly env: Readonly<Record<string, string>>;
  /** Which life of the worker this is. */
  readonly epoch: number;
  readonly deadline: Pick<WorkerDeadline, 'until'>;
  /** The runtime to keep a warm runner for before any is used; without it none is kept, whatever is used. */
  readonly keepSpare?: RuntimeName | undefined;
  /** After this time without a start of its runtime a spare is let go. */
  readonly spareUnusedMs?: number;
  /** How much memory there is. */
  readonly memoryBytes?: number;
  readonly log: (line: string) => void;
}

/** Starts the processes of runners, warm or cold; they outlive this worker. */
export class RunnerProcesses implements AsyncDisposable {
  readonly #options: RunnerProcessesOptions;
  readonly #spares: SpareRunners;

  constructor(options: RunnerProcessesOptions) {
    this.#options = options;
    const { home, runner, env, epoch, secrets, log } = options;
    this.#spares = new SpareRunners({
      home,
      runner,
      env,
      log,
      unusedMs: options.spareUnusedMs ?? spareUnusedMs,
      keeps: options.keepSpare === undefined ? 'none' : spareKind(options.memoryBytes ?? machineMemory()),
      newSecret: (count) => {
        const name = `spare-${epoch}-${count}`;
        return { name, secret: secrets.of(name) };
      },
    });
  }

  /** From the spare if it fits and lives, else cold; both get the same arguments. */
  async start(runId: RunId, start: RunnerStart): Promise<ProcessIdentity> {
    const { folders, runner } = this.#options;
    const { args, env, folder } = this.#prepare(runId, start);
    const spare = this.#spares.take(start.runtime);
    const { posture } = start;
    const warm = await spare?.launch({
      runId,
      spool: folders.spool(runId),
      posture,
      args,
      ...given({ env: posture.env }),
    });
    this.#spares.prepare(start.runtime, start);
    return (
      warm ??
      spawnDetached({
        file: runner.file,
        args: [...runner.args, ...args],
        cwd: start.cwd,
        env,
        outputFile: join(folder, 'output.log'),
      })
    );
  }

  /** The first spare, of the runtime that is most likely used. */
  prepareSpare(): void {
    if (this.#options.keepSpare !== undefined) this.#spares.prepare(this.#options.keepSpare);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#spares[Symbol.asyncDispose]();
  }

  #prepare(runId: RunId, start: RunnerStart) {
    const { home, folders, env, secrets, epoch, idleLimitMs, deadline } = this.#options;
    const folder = folders.launch(runId);
    for (const made of [folder, join(home, 'spools')]) mkdirSync(made, { recursive: true, mode: 0o700 });
    const { args, files } = runnerArguments(
      start.posture,
      {
        runtime: start.runtime,
        cwd: start.cwd,
        conversationId: start.threadId,
        socket: folders.socket(runId),
        spool: folders.spool(runId),
        secret: secrets.of(runId),
        epoch,
        idleLimitMs,
        ...given({ runUntil: deadline.until ?? undefined }),
        ...given({ resume: start.resume, impatientTools: start.impatientTools }),
        fork: start.fork ?? false,
        projectCode: start.projectCode ?? [],
        containers: join(home, 'containers'),
      },
      (name) => join(folder, name),
    );
    for (const { name, content } of files) writeFileSync(join(folder, name), content, { mode: 0o600 });
    return { args, folder, env: { ...env, ...start.posture.env } };
  }
}

/** What this process may use: less than the machine has, where it sits in a container. */
function machineMemory(): number {
  const bound = process.constrainedMemory();
  return bound > 0 ? Math.min(bound, totalmem()) : totalmem();
}
