import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import type { DispatchRequest } from '../../../src/protocol/dispatch.js';
import type { DispatchId, PipelineId, ScheduleId, ThreadId } from '../../../src/protocol/id.js';
import type { PipelineRequest } from '../../../src/protocol/pipeline.js';
import type { ScheduleRequest } from '../../../src/protocol/schedule.js';
import { waitUntil } from '../../harness/wait-until.js';

const ownProgram = new URL('./worker-program.js', import.meta.url).pathname;

/** Where and how a worker is started. */
export interface OtherStart {
  readonly env: NodeJS.ProcessEnv;
  /** What comes before its command, such as what brings it to another machine. */
  readonly before?: readonly string[];
  /** What is loaded before its program. */
  readonly preload?: readonly string[];
  readonly log?: (line: string) => void;
  /** The program, where it is not the one of this tree. */
  readonly program?: string;
}

/** A worker of the same store in a process of its own. */
export class OtherWorker {
  readonly process: ChildProcess;
  readonly #words: { [name: string]: unknown }[] = [];
  #complaint = '';

  private constructor(child: ChildProcess) {
    this.process = child;
  }

  static async start(
    start: object,
    { env, before = [], preload = [], log = () => {}, program = ownProgram }: OtherStart,
  ): Promise<OtherWorker> {
    const nodeArgs = [...preload.flatMap((file) => ['--import', file]), program, JSON.stringify(start)];
    const [command = process.execPath, ...rest] = before;
    const args = before.length === 0 ? nodeArgs : [...rest, process.execPath, ...nodeArgs];
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    const other = new OtherWorker(child);
    onTestFinished(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    });
    child.stdin?.on('error', () => {});
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      process.stderr.write(text);
      other.#complaint += text;
    });
    createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => {
      const word = JSON.parse(line);
      if ('log' in word) log(String(word.log));
      else other.#words.push(word);
    });
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

  /** Gives work there that may be given again, and says whether it was taken; false where nobody knows. */
  async give(key: string, work: DispatchRequest): Promise<boolean> {
    return await this.#report(key, { keyed: { key, work } });
  }

  /** Answers there, and says whether the answer was accepted; false where it was refused, or nobody knows. */
  async answer(id: string, text: string): Promise<boolean> {
    return await this.#report(id, { answer: { id, text } });
  }

  /** Ends its agents, so that none of them waits for its deadline once the worker is gone. */
  async stopAgents(): Promise<void> {
    await this.#report('agents', { stopAgents: true });
  }

  /** What it wrote to its standard error. */
  get complaint(): string {
    return this.#complaint;
  }

  /** Ends it with a signal, and waits for that. */
  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.isGone) return;
    const gone = once(this.process, 'exit');
    this.process.kill(signal);
    await gone;
  }

  get isGone(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  async #report(about: string, request: object): Promise<boolean> {
    const reports = () => this.#words.filter((word) => word['about'] === about);
    const known = reports().length;
    this.process.stdin?.write(`${JSON.stringify(request)}\n`);
    await waitUntil(
      `the other worker says what became of ${about}`,
      () => reports().length > known || this.isGone,
    );
    return reports()[known]?.['done'] === true;
  }

  async #asked(what: string, request: object): Promise<unknown> {
    const known = this.#words.filter((word) => what in word).length;
    this.process.stdin?.write(`${JSON.stringify({ [what]: request })}\n`);
    return (await this.#word(what, known))[what];
  }

  async #word(name: string, after = 0): Promise<{ [name: string]: unknown }> {
    const found = () => this.#words.filter((word) => name in word)[after];
    await waitUntil(`the other worker says ${name}`, () => found() !== undefined || this.isGone);
    return found() ?? {};
  }
}
