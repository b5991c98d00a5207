import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { TailText } from './tail-text.js';

const tailBytes = 2000;
const quietMs = 200;

/** Who takes what a process prints, and how much of it. */
export type OutputTaking = {
  /** Characters that are passed on; the rest is read and dropped, because a process that cannot write hangs. */
  limit: number;
  take: (text: string) => void;
  /** Sees all of it, also what is dropped. */
  see?: (text: string) => void;
  /** A promise while nothing more can be taken. */
  whenWritable?: () => Promise<void> | undefined;
};

/** What a process prints on one of its streams: passed on as it comes, up to a limit, and its end kept. */
export class ChildOutput {
  readonly #stream: Readable;
  readonly #taking: OutputTaking;
  readonly #tail = new TailText(tailBytes);
  readonly #read: Promise<void>;
  #length = 0;
  #chunks = 0;
  #isPaused = false;

  constructor(stream: Readable, taking: OutputTaking) {
    this.#stream = stream.setEncoding('utf8');
    this.#taking = taking;
    this.#read = this.#readAll();
  }

  get isCut(): boolean {
    return this.#length > this.#taking.limit;
  }

  /** The end of it, as it was printed. */
  get tail(): string {
    return this.#tail.toString();
  }

  /** Reads the rest after the process has ended; whatever still holds the stream then, and is quiet, is not waited for. */
  async finish(): Promise<void> {
    let seen: number;
    do {
      seen = this.#chunks;
      if (await Promise.race([this.#read.then(() => true), delay(quietMs, false)])) return;
    } while (seen !== this.#chunks || this.#isPaused);
    this.#stream.destroy();
    await this.#read;
  }

  async #readAll(): Promise<void> {
    try {
      for await (const chunk of this.#stream) await this.#take(String(chunk));
    } catch {
      // The stream was given up.
    }
  }

  async #take(text: string): Promise<void> {
    this.#chunks += 1;
    this.#taking.see?.(text);
    const room = this.#taking.limit - this.#length;
    this.#length += text.length;
    this.#tail.push(Buffer.from(text));
    if (room > 0) this.#taking.take(text.slice(0, room));
    this.#isPaused = true;
    await this.#taking.whenWritable?.();
    this.#isPaused = false;
  }
}
