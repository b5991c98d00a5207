import { closeSync, openSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { readLines } from '../../process/children/read-lines.js';
import type { NumberedLine } from '../../process/files/line-journal.js';
import { isLinkProof, linkProof, newNonce } from '../../process/link-proof.js';
import {
  AttachedFrame,
  detachedProtocol,
  HelloFrame,
  holdFileOf,
  RefusedFrame,
} from '../../protocol/detached.js';
import { Failure } from '../../protocol/failure.js';
import type { RunId } from '../../protocol/id.js';
import { stringField } from '../../protocol/string-field.js';

const maxLineBytes = 256 * 2 ** 20;

/** A line that the runner keeps in its journal until it is acknowledged. */
export interface DurableLine extends NumberedLine {
  readonly kind: 'durable';
  readonly type: string;
}

/** A line that is in no journal: live text, receipts of repeats, an eviction. */
export interface TransientLine {
  readonly kind: 'transient';
  readonly type: string;
  readonly text: string;
}

/** What came of looking for a runner at its socket. */
export type Reached =
  | { readonly kind: 'connected'; readonly connection: RunnerConnection }
  /** Nobody listens, or not any more. */
  | { readonly kind: 'nobody' }
  /** Somebody listens and does not greet. */
  | { readonly kind: 'silent' }
  /** Somebody greets in another way than our runners of this version do. */
  | { readonly kind: 'foreign'; readonly why: string };

/** Who attaches, and to what. */
export interface Attaching {
  readonly runId: RunId;
  readonly secret: string;
  readonly epoch: number;
  readonly afterRunSeq: number;
}

/** The runner was gone before it had let the worker in; it may have been killed just then. */
export class RunnerHungUp extends Failure {
  constructor() {
    super('unavailable', 'The runner hung up.');
  }
}

/** This worker's connection to one detached runner. */
export class RunnerConnection implements AsyncDisposable {
  readonly hello: HelloFrame;
  readonly #path: string;
  readonly #socket: Socket;
  readonly #lines: AsyncIterator<string>;
  #bytesBefore = 0;
  #hasEnded = false;

  private constructor(
    hello: HelloFrame,
    at: { readonly path: string; readonly socket: Socket; readonly lines: AsyncIterator<string> },
  ) {
    this.hello = hello;
    this.#path = at.path;
    this.#socket = at.socket;
    this.#lines = at.lines;
  }

  /** Connects and reads the greeting; a runner that hangs is given up on after a while. */
  static async open(path: string, { greetingMs = 5000 } = {}): Promise<Reached> {
    const socket = connect(path);
    const isConnected = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.on('error', () => {});
    if (!isConnected) return { kind: 'nobody' };
    const lines = wholeLines(socket);
    const first = await lineWithin(lines, greetingMs);
    const hello = first === 'late' || first === 'ended' ? null : HelloFrame.safeParse(parse(first.text));
    if (hello?.success && Math.abs(hello.data.protocol - detachedProtocol) <= 1)
      return { kind: 'connected', connection: new RunnerConnection(hello.data, { path, socket, lines }) };
    socket.destroy();
    if (first === 'late') return { kind: 'silent' };
    if (first === 'ended') return { kind: 'nobody' };
    return { kind: 'foreign', why: foreignWhy(parse(first.text)) };
  }

  /** Attaches, after which the events come; throws a Failure when the other end is not the runner of this run. */
  async attach({ runId, secret, epoch, afterRunSeq }: Attaching, { answerMs = 5000 } = {}): Promise<void> {
    const nonce = newNonce();
    const holdFile = holdFileOf(this.#path, this.hello);
    const held = openSync(holdFile, 'wx', 0o600);
    try {
      const proof = linkProof(secret, { by: 'worker', runId, epoch, nonce: this.hello.nonce });
      const { pid } = process;
      this.send({ type: 'attach', afterRunSeq, epoch, live: true, pid, nonce, proof });
      const first = await lineWithin(this.#lines, answerMs);
      if (first === 'late') throw new Failure('unavailable', 'The runner does not answer.');
      if (first === 'ended') throw new RunnerHungUp();
      const answer = AttachedFrame.safeParse(parse(first.text));
      if (!answer.success) throw new Failure('unavailable', refusalWhy(parse(first.text)));
      if (!isLinkProof(answer.data.proof, secret, { by: 'runner', runId, epoch, nonce }))
        throw new Failure('unavailable', 'Whoever listens at the socket is not the runner of this run.');
    } finally {
      closeSync(held);
      rmSync(holdFile, { force: true });
    }
  }

  /** Whether anything came since the last time this was asked, or waits to be read; one that has hung up is silent no more. */
  hasSpoken(): boolean {
    const { bytesRead, readableLength } = this.#socket;
    const isNew = bytesRead > this.#bytesBefore || readableLength > 0 || this.#hasEnded;
    this.#bytesBefore = bytesRead;
    return isNew;
  }

  send(frame: object): void {
    this.#socket.write(`${JSON.stringify(frame)}\n`);
  }

  /** Every line of the runner, until the connection ends. */
  async *lines(): AsyncGenerator<DurableLine | TransientLine> {
    for (let line = await this.#lines.next(); !line.done; line = await this.#lines.next()) {
      const value = parse(line.value);
      const seq = typeof value === 'object' && value !== null && 'runSeq' in value ? value.runSeq : undefined;
      const type = stringField(value, 'type') ?? 'unreadable';
      if (type === 'beat') continue;
      if (typeof seq === 'number') yield { kind: 'durable', type, seq, text: line.value };
      else yield { kind: 'transient', type, text: line.value };
    }
    // What it said may take long to be stored.
    this.#hasEnded = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy();
  }
}

async function* wholeLines(socket: Socket): AsyncGenerator<string> {
  try {
    for await (const line of readLines(socket, { maxBytes: maxLineBytes }))
      if (line.kind === 'line') yield line.text;
  } catch {
    // A connection that breaks is a connection that ended; the journal has the rest.
  }
}

type FirstLine = { readonly text: string } | 'late' | 'ended';

async function lineWithin(lines: AsyncIterator<string>, ms: number): Promise<FirstLine> {
  const late = new AbortController();
  try {
    return await Promise.race([
      lines.next().then((line): FirstLine => (line.done ? 'ended' : { text: line.value })),
      delay(ms, 'late' as const, { signal: late.signal }).catch(() => 'late' as const),
    ]);
  } finally {
    late.abort();
  }
}

function foreignWhy(greeting: unknown): string {
  const protocol =
    typeof greeting === 'object' && greeting !== null && 'protocol' in greeting ? greeting.protocol : null;
  if (typeof protocol !== 'number' || Math.abs(protocol - detachedProtocol) <= 1)
    return 'what listens at its socket is not one of our runners';
  const age = protocol > detachedProtocol ? 'newer' : 'older';
  return `it speaks version ${protocol} of the protocol and this worker version ${detachedProtocol}. Start the ${age} version of handraise again, or stop the agent`;
}

function refusalWhy(answer: unknown): string {
  const refused = RefusedFrame.safeParse(answer);
  if (refused.success) return `The runner refused this worker: ${refused.data.error}`;
  if (stringField(answer, 'type') === 'evicted') return 'A newer worker has the runner.';
  return 'What listens at the socket does not answer as a runner does.';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
