import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { frameOf } from './frame.js';

const reconnectMs = 1000;
const heartbeat = Buffer.from(': still here\n\n');
// A client that took nothing for so many heartbeats is gone, whatever its socket says.
const patience = 4;

/** How far behind a client may fall. */
export interface QueueLimits {
  readonly queuedBytes: number;
  readonly queuedFrames: number;
  /** How long a dropped client may take to read what was sent, the notice at its end included. */
  readonly farewellMs: number;
}

/** One response of text/event-stream. Nobody waits for its client: one that is too slow is dropped with a notice. */
export class EventStream {
  readonly #outgoing: ServerResponse;
  readonly #limits: QueueLimits;
  readonly #closed = new AbortController();
  #queuedFrames = 0;
  #missedBeats = 0;

  constructor(outgoing: ServerResponse, limits: QueueLimits) {
    this.#outgoing = outgoing;
    this.#limits = limits;
    outgoing.on('close', () => this.#closed.abort());
    // A write that meets a broken connection is an error of its own; the close says all that matters.
    outgoing.on('error', () => {});
    outgoing.on('drain', () => {
      this.#queuedFrames = 0;
      this.#missedBeats = 0;
    });
    outgoing.socket?.setNoDelay(true);
    outgoing.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    outgoing.write(`retry: ${reconnectMs}\n\n`);
  }

  /** Fires when the client is gone or was dropped. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Whether the client has not taken what it was sent. */
  get isBehind(): boolean {
    return this.#outgoing.writableNeedDrain;
  }

  /** Sends without waiting. */
  send(frame: Buffer): void {
    if (this.#closed.signal.aborted) return;
    if (!this.#outgoing.write(frame)) this.#queuedFrames += 1;
    const { queuedBytes, queuedFrames } = this.#limits;
    if (this.#outgoing.writableLength > queuedBytes || this.#queuedFrames > queuedFrames) {
      this.drop('You read too slowly. Connect again with Last-Event-ID; nothing is lost.');
    }
  }

  /** Sends what belongs together in one piece. */
  together(send: () => void): void {
    this.#outgoing.cork();
    send();
    this.#outgoing.uncork();
  }

  /** Sends at the client's own pace. */
  async sendWhenRoom(frame: Buffer): Promise<void> {
    await this.drained();
    if (!this.#closed.signal.aborted) this.#outgoing.write(frame);
  }

  /** Waits until the client has taken what it was sent, or is gone. */
  async drained(): Promise<void> {
    if (!this.isBehind || this.#closed.signal.aborted) return;
    await once(this.#outgoing, 'drain', { signal: this.#closed.signal }).catch(() => {});
  }

  beat(): void {
    if (!this.isBehind) {
      this.#missedBeats = 0;
      this.#outgoing.write(heartbeat);
      return;
    }
    this.#missedBeats += 1;
    if (this.#missedBeats >= patience) this.drop('You have not read for a while. Connect again.');
  }

  /** Says why and ends; what was sent before still arrives. */
  drop(detail: string): void {
    if (this.#closed.signal.aborted) return;
    this.#outgoing.end(frameOf({ event: 'dropped', data: JSON.stringify({ detail }) }));
    this.#closed.abort();
    const timer = setTimeout(() => this.#outgoing.destroy(), this.#limits.farewellMs);
    this.#outgoing.on('close', () => clearTimeout(timer));
  }
}
