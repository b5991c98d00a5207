import { connect, type Socket } from 'node:net';
import type { NumberedLine } from '../process/line-journal.js';
import { readLines } from '../process/read-lines.js';
import { detachedProtocol, HelloFrame } from '../protocol/detached.js';
import { stringField } from '../protocol/string-field.js';

const maxLineBytes = 256 * 2 ** 20;

/** What a runner says over its socket. */
export type Said =
  | ({ readonly kind: 'event'; readonly type: string } & NumberedLine)
  /** Not journalled: live text, receipts of repeats, an eviction. */
  | { readonly kind: 'aside'; readonly type: string; readonly text: string };

/** This worker's connection to one detached runner. */
export class RunnerLink implements AsyncDisposable {
  readonly hello: HelloFrame;
  readonly #socket: Socket;
  readonly #lines: AsyncIterator<string>;

  private constructor(socket: Socket, lines: AsyncIterator<string>, hello: HelloFrame) {
    this.#socket = socket;
    this.#lines = lines;
    this.hello = hello;
  }

  /** Connects and reads the greeting; null when nobody answers there, or somebody who speaks too different a protocol. */
  static async open(path: string): Promise<RunnerLink | null> {
    const socket = connect(path);
    const isConnected = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.on('error', () => {});
    if (!isConnected) return null;
    const lines = wholeLines(socket);
    const first = await lines.next();
    const hello = first.done ? null : HelloFrame.safeParse(parse(first.value));
    if (hello?.success && Math.abs(hello.data.protocol - detachedProtocol) <= 1)
      return new RunnerLink(socket, lines, hello.data);
    socket.destroy();
    return null;
  }

  attach(frame: { readonly afterRunSeq: number; readonly epoch: number; readonly live?: boolean }): void {
    this.send({ type: 'attach', ...frame });
  }

  send(frame: object): void {
    this.#socket.write(`${JSON.stringify(frame)}\n`);
  }

  /** Everything it says, until the connection ends. */
  async *said(): AsyncGenerator<Said> {
    for (let line = await this.#lines.next(); !line.done; line = await this.#lines.next()) {
      const value = parse(line.value);
      const seq = typeof value === 'object' && value !== null && 'runSeq' in value ? value.runSeq : undefined;
      const type = stringField(value, 'type') ?? 'unreadable';
      if (typeof seq === 'number') yield { kind: 'event', type, seq, text: line.value };
      else yield { kind: 'aside', type, text: line.value };
    }
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
