import type { Host } from '../host/host.js';
import type { StatusChange } from '../protocol/api.js';
import { given } from '../protocol/given.js';
import type { EventStream } from './event-stream.js';
import { frameOf } from './frame.js';

/**
 * Statuses on one stream: first those of every thread that is not stopped, then changes.
 * Only the latest of a thread matters, so a slow client misses steps between and never falls behind.
 */
export class StatusStream {
  readonly #stream: EventStream;
  readonly #waiting = new Map<string, StatusChange>();
  #isSending = true;

  private constructor(stream: EventStream) {
    this.#stream = stream;
  }

  /** Follows every thread until the client is gone. */
  static async follow(options: { readonly host: Host; readonly stream: EventStream }): Promise<void> {
    const follower = new StatusStream(options.stream);
    const { closed } = options.stream;
    const subscription = options.host.statuses.subscribe((change) => follower.#take(change));
    closed.addEventListener('abort', () => subscription[Symbol.dispose]());
    if (closed.aborted) subscription[Symbol.dispose]();
    await follower.#sendPresent(options.host);
    await follower.#sendWaiting();
  }

  #take(change: StatusChange): void {
    this.#waiting.delete(change.threadId);
    this.#waiting.set(change.threadId, change);
    if (!this.#isSending) void this.#sendWaiting();
  }

  async #sendPresent(host: Host): Promise<void> {
    let cursor: string | undefined;
    do {
      const page = await host.threads.list(given({ cursor }));
      for (const { id, status } of page.rows) {
        if (status.state !== 'stopped') await this.#send({ threadId: id, status });
      }
      cursor = page.next;
    } while (cursor !== undefined && !this.#stream.closed.aborted);
  }

  async #sendWaiting(): Promise<void> {
    this.#isSending = true;
    for (const [threadId, change] of this.#waiting) {
      this.#waiting.delete(threadId);
      await this.#send(change);
    }
    this.#isSending = false;
  }

  async #send(change: StatusChange): Promise<void> {
    await this.#stream.sendWhenRoom(frameOf({ event: 'status', data: JSON.stringify(change) }));
  }
}
