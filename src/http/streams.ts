import type { ServerResponse } from 'node:http';
import { Failure } from '../protocol/failure.js';
import { EventStream, type QueueLimits } from './event-stream.js';

export interface StreamLimits extends QueueLimits {
  readonly clients: number;
  readonly heartbeatMs: number;
}

/** Every open event stream: so many at most, kept awake together, ended together. */
export class Streams implements Disposable {
  readonly #limits: StreamLimits;
  readonly #open = new Map<EventStream, () => boolean>();
  readonly #heartbeat: NodeJS.Timeout;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
    this.#heartbeat = setInterval(() => this.#beat(), limits.heartbeatMs);
  }

  /** Begins a stream; `isStillGood` is asked with every heartbeat, so that a withdrawn token ends it. */
  open(outgoing: ServerResponse, isStillGood: () => boolean): EventStream {
    if (this.#open.size >= this.#limits.clients) {
      throw new Failure(
        'unavailable',
        `All ${this.#limits.clients} event streams are in use. Try again later.`,
      );
    }
    const stream = new EventStream(outgoing, this.#limits);
    this.#open.set(stream, isStillGood);
    stream.closed.addEventListener('abort', () => this.#open.delete(stream));
    return stream;
  }

  #beat(): void {
    for (const [stream, isStillGood] of this.#open) {
      try {
        if (isStillGood()) stream.beat();
        else stream.drop('The token of this stream is not valid any more.');
      } catch {
        stream.drop('The token of this stream cannot be checked.');
      }
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#heartbeat);
    for (const stream of this.#open.keys()) stream.drop('The worker ends. Connect again once it is back.');
  }
}
