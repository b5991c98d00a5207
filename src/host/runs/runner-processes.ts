import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnDetached } from '../../process/children/detached-child.js';
import { errorSentence } from '../../protocol/error-sentence.js';
import { given } from '../../protocol/given.js';
import type { RunId, ThreadId } from '../../protocol/id.js';
import type { Posture, RuntimeName } from '../../protocol/posture.js';
import type { CodeFile } from '../../protocol/project-code.js';
import type { ProcessIdentity } from '../../protocol/run.js';
import type { RunFolders } from './run-folder.js';
import type { RunSecrets } from './run-secrets.js';
import { runnerArguments } from './runner-arguments.js';
import { SpareRunner } from './spare-runner.js';

const spareDelayMs = 1000;

/** What a runner is started with. */
export interface RunnerStart {
  readonly threadId: ThreadId;
  readonly runtime: RuntimeName;
  readonly cwd: string;
  readonly posture: Posture;
  /** The runtime's session to go on with. */
  readonly resume?: string;
  readonly fork?: boolean;
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
  /** The runtime to keep a warm runner for, if any. */
  readonly keepSpare?: RuntimeName | undefined;
  readonly log: (line: string) => void;
}

/** Starts the processes of runners, warm or cold; they outlive this worker. */
export class RunnerProcesses implements AsyncDisposable {
  readonly #options: RunnerProcessesOptions;
  #spare: SpareRunner | null = null;
  #spares = 0;
  #spareTimer: NodeJS.Timeout | undefined;

  constructor(options: RunnerProcessesOptions) {
    this.#options = options;
  }

  /** From the spare if it fits and lives, else cold; both get the same arguments. */
  async start(runId: RunId, start: RunnerStart): Promise<ProcessIdentity> {
    const { folders, runner } = this.#options;
    const { args, env, folder } = this.#prepare(runId, start);
    const spare = this.#spare?.runtime === start.runtime ? this.#spare : null;
    if (spare) this.#spare = null;
    const { posture } = start;
    const warm = await spare?.launch({
      runId,
      spool: folders.spool(runId),
      posture,
      args,
      ...given({ env: posture.env }),
    });
    this.prepareSpare();
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

  /** A moment later, because a runner that loads competes with the launch, or the start, that is under way. */
  prepareSpare(): void {
    const { keepSpare, log } = this.#options;
    if (!keepSpare) return;
    clearTimeout(this.#spareTimer);
    this.#spareTimer = setTimeout(() => {
      try {
        this.#spare ??= this.#newSpare(keepSpare);
      } catch (error) {
        // For example on a full disk. The next run starts cold, and tries again.
        log(`No runner could be kept ready: ${errorSentence(error)}`);
      }
    }, spareDelayMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#spareTimer);
    await this.#spare?.dismiss();
  }

  #newSpare(runtime: RuntimeName): SpareRunner {
    const { home, runner, env, epoch, secrets } = this.#options;
    this.#spares += 1;
    const sockets = join(home, 's');
    mkdirSync(sockets, { recursive: true, mode: 0o700 });
    const name = `spare-${epoch}-${this.#spares}`;
    const command = { ...runner, cwd: home, env, outputFile: join(home, 'spare.log') };
    return new SpareRunner(command, { runtime, path: join(sockets, name), secret: secrets.of(name) });
  }

  #prepare(runId: RunId, start: RunnerStart) {
    const { home, folders, env, secrets, epoch, idleLimitMs } = this.#options;
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
        ...given({ resume: start.resume }),
        fork: start.fork ?? false,
        projectCode: start.projectCode ?? [],
      },
      (name) => join(folder, name),
    );
    for (const { name, content } of files) writeFileSync(join(folder, name), content, { mode: 0o600 });
    return { args, folder, env: { ...env, ...start.posture.env } };
  }
}
