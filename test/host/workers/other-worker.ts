import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import type { DispatchRequest } from '../../../src/protocol/dispatch.js';
import type { DispatchId, PipelineId, ScheduleId, ThreadId } from '../../../src/protocol/id.js';
import type { PipelineRequest } from '../../../src/protocol/pipeline.js';
import type { ScheduleRequest } from '../../../src/protocol/schedule.js';
import { waitUntil } from '../../harness/wait-until.js';

/** A worker of the same store in a process of its own. */
export class OtherWorker {
  readonly process: ChildProcess;
  readonly #words: { [name: string]: unknown }[] = [];

  private constructor(child: ChildProcess) {
    this.process = child;
  }

  static async start(start: object, env: NodeJS.ProcessEnv): Promise<OtherWorker> {
    const file = new URL('./worker-program.js', import.meta.url).pathname;
    const child = spawn(process.execPath, [file, JSON.stringify(start)], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const other = new OtherWorker(child);
    onTestFinished(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    });
    child.stdin?.on('error', () => {});
    createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) =>
      other.#words.push(JSON.parse(line)),
    );
    await other.#word('ready');
    return other;
  }

  async submit(request: DispatchRequest): Promise<{ id: DispatchId; threadId: ThreadId }> {
    const known = this.#words.filter((word) => 'dispatch' in word).length;
    this.process.stdin?.write(`${JSON.stringify(request)}\n`);
    const word = await this.#word('dispatch', known);
    return { id: word['dispatch'] as DispatchId, threadId: word['threadId'] as ThreadId };
  }

  /** Makes a schedule there. */
  async schedule(request: ScheduleRequest): Promise<ScheduleId> {
    return (await this.#asked('schedule', request)) as ScheduleId;
  }

  /** Starts a pipeline there. */
  async pipeline(request: PipelineRequest): Promise<PipelineId> {
    return (await this.#asked('pipeline', request)) as PipelineId;
  }

  async #asked(what: string, request: object): Promise<unknown> {
    const known = this.#words.filter((word) => what in word).length;
    this.process.stdin?.write(`${JSON.stringify({ [what]: request })}\n`);
    return (await this.#word(what, known))[what];
  }

  async #word(name: string, after = 0): Promise<{ [name: string]: unknown }> {
    const found = () => this.#words.filter((word) => name in word)[after];
    await waitUntil(
      `the other worker says ${name}`,
      () => found() !== undefined || this.process.exitCode !== null,
    );
    return found() ?? {};
  }
}
