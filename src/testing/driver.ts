import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { type Event, type EventType, eventDefinitions, eventSchema } from '../protocol/event.js';
import { stringField } from '../protocol/string-field.js';
import { isOfType } from './event-list.js';
import { processesWith, type TestProcess } from './left-behind.js';
import type { TestStage } from './test-stage.js';
import { eventually, holdsWithin } from './wait-until.js';

/** The built program, as a user starts it. */
export const runnerFile = new URL('../../bin/handraise-runner.js', import.meta.url).pathname;

// A runner keeps variables named HANDRAISE_ from its agent, so the mark has another name.
const markVariable = 'RUNNER_TEST_MARK';

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface DriverOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
}

/** A parent of one runner: it knows stdin, stdout and the schemas, and nothing of what is behind them. */
export class Driver implements AsyncDisposable {
  /** Every event so far; a line that is no event of the protocol fails the test that waits next. */
  readonly events: Event[] = [];
  readonly exited: Promise<Exit>;
  readonly pid: number;
  stderr = '';
  readonly #mark = randomUUID();
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #strangeLines: string[] = [];
  #read = 0;
  #rest = '';
  #exit: Exit | null = null;
  #wake: () => void = () => {};

  constructor(stage: TestStage, { args = [], env = {}, cwd = stage.workspace }: DriverOptions = {}) {
    const merged = Object.entries({ ...stage.env, [markVariable]: this.#mark, ...env }).filter(
      ([, value]) => value !== undefined,
    );
    this.#child = spawn(process.execPath, [runnerFile, ...args], {
      cwd,
      env: Object.fromEntries(merged),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.pid = this.#child.pid ?? 0;
    this.#child.stdout.setEncoding('utf8').on('data', (chunk: string) => this.#take(chunk));
    this.#child.stderr.setEncoding('utf8').on('data', (chunk: string) => (this.stderr += chunk));
    // A runner that has gone no longer reads; its exit tells the story.
    this.#child.stdin.on('error', () => {});
    this.exited = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        this.#exit = { code, signal };
        this.#wake();
        resolve(this.#exit);
      });
    });
  }

  send(command: Record<string, unknown>): void {
    this.sendRaw(`${JSON.stringify(command)}\n`);
  }

  message(content: string, more: Record<string, unknown> = {}): void {
    this.send({ type: 'message', content, ...more });
  }

  sendRaw(bytes: string | Uint8Array): void {
    this.#child.stdin.write(bytes);
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }

  closeInput(): void {
    this.#child.stdin.end();
  }

  /** The living processes of this runner, itself and the agent's tools included. */
  async processes(word = ''): Promise<TestProcess[]> {
    const all = await processesWith(markVariable, this.#mark);
    return all.filter(({ command }) => command.includes(word));
  }

  /** Waits until such a process of this runner lives. */
  async runs(word: string): Promise<void> {
    await eventually(
      `${word} runs`,
      async () => await this.processes(),
      (all) => all.some(({ command }) => command.includes(word)),
    );
  }

  /** Waits until no such process of this runner lives any more. */
  async isRidOf(word: string): Promise<void> {
    await eventually(
      `no process with ${JSON.stringify(word)} is left`,
      async () => await this.processes(word),
      (all) => all.length === 0,
    );
  }

  /** Reads nothing until `resumeOutput`, as a parent that is busy. */
  pauseOutput(): void {
    this.#child.stdout.pause();
  }

  resumeOutput(): void {
    this.#child.stdout.resume();
  }

  /** Reads no more, as a parent that has gone. */
  closeOutput(): void {
    this.#child.stdout.destroy();
  }

  /** Sends a message and gives every event up to the end of its turn. */
  async turn(content: string, more: Record<string, unknown> = {}): Promise<Event[]> {
    this.message(content, more);
    return await this.until('turn_complete');
  }

  /** Reads on to the next event of a type and gives it. */
  async next<Type extends EventType>(
    type: Type,
    matches: (event: Event<Type>) => boolean = () => true,
  ): Promise<Event<Type>> {
    const read = await this.until(type, matches);
    const event = read.at(-1);
    if (isOfType(event, type)) return event;
    throw new Error(`${type} was read and is not there`);
  }

  /** Reads on to the next event of a type and gives everything up to it. */
  async until<Type extends EventType>(
    type: Type,
    matches: (event: Event<Type>) => boolean = () => true,
  ): Promise<Event[]> {
    for (let at = this.#read; ; at++) {
      await this.#has(at, type);
      const event = this.events[at];
      if (isOfType(event, type) && matches(event)) {
        const read = this.events.slice(this.#read, at + 1);
        this.#read = at + 1;
        return read;
      }
    }
  }

  /** Waits for the end and gives how it ended and what was said last; no process may be left. */
  async end(): Promise<Exit & { readonly last: Event[] }> {
    const exit = await this.exited;
    this.#assertProtocolOnly();
    const last = this.events.slice(this.#read);
    this.#read = this.events.length;
    const isAlone = await holdsWithin(60_000, async () => (await this.processes()).length === 0);
    if (!isAlone) throw new Error(`left behind: ${JSON.stringify(await this.processes())}`);
    return { ...exit, last };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#exit === null) {
      this.#child.kill('SIGTERM');
      await this.exited;
    }
    for (const { pid } of await this.processes()) process.kill(pid, 'SIGKILL');
  }

  async #has(at: number, wanted: string): Promise<void> {
    while (at >= this.events.length) {
      this.#assertProtocolOnly();
      if (this.#exit) {
        const seen = this.events.slice(-15).map((event) => JSON.stringify(event).slice(0, 300));
        throw new Error(
          `the runner ended (${JSON.stringify(this.#exit)}) before ${wanted}:\n${seen.join('\n')}\n${this.stderr.slice(-2000)}`,
        );
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  #take(chunk: string): void {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = readEvent(line);
      if (event) this.events.push(event);
      else this.#strangeLines.push(line.slice(0, 500));
    }
    this.#wake();
  }

  #assertProtocolOnly(): void {
    if (this.#strangeLines.length > 0 || (this.#exit && this.#rest !== ''))
      throw new Error(`not protocol on stdout: ${[...this.#strangeLines, this.#rest].join('\n')}`);
  }
}

/** An event, if the line is exactly what the schema of its type says: no field more, none less. */
function readEvent(line: string): Event | null {
  try {
    const parsed: unknown = JSON.parse(line);
    return isEvent(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function isEvent(value: unknown): value is Event {
  const type = stringField(value, 'type');
  return type !== undefined && isEventType(type) && eventSchema(type).strict().safeParse(value).success;
}

function isEventType(type: string): type is EventType {
  return Object.hasOwn(eventDefinitions, type);
}
