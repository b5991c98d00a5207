import type { Host } from '../host/host.js';
import type { StatusChange } from '../protocol/api.js';
import { given } from '../protocol/given.js';
import type { ObservedSession } from '../protocol/observed.js';
import type { EventStream } from './event-stream.js';
import { frameOf } from './frame.js';

/**
 * Statuses on one stream: first those of every thread that is not stopped and all observed sessions, then changes.
 * Only the latest of a thread matters, so a slow client misses steps between and never falls behind.
 */
export class StatusStream {
  readonly #stream: EventStream;
  readonly #waiting = new Map<string, StatusChange>();
  #observed: readonly ObservedSession[] | undefined;
  #isSending = true;

  private constructor(stream: EventStream) {
    this.#stream = stream;
  }

  /** Follows every thread until the client is gone. */
  static async follow(options: { readonly host: Host; readonly stream: EventStream }): Promise<void> {
    const follower = new StatusStream(options.stream);
    const { closed } = options.stream;
    const { statuses, observed } = options.host;
    const subscriptions = [
      statuses.subscribe((change) => follower.#take(change)),
      observed.subscribe((sessions) => follower.#see(sessions)),
    ];
    const leave = () => {
      for (const each of subscriptions) each[Symbol.dispose]();
    };
    closed.addEventListener('abort', leave);
    if (closed.aborted) leave();
    await follower.#sendPresent(options.host);
    follower.#observed ??= observed.list();
    await follower.#sendWaiting();
  }

  #take(change: StatusChange): void {
    this.#waiting.delete(change.threadId);
    this.#waiting.set(change.threadId, change);
    if (!this.#isSending) void this.#sendWaiting();
  }

  #see(sessions: readonly ObservedSession[]): void {
    this.#observed = sessions;
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
    while (this.#observed) {
      const sessions = this.#observed;
      this.#observed = undefined;
      const data = JSON.stringify({ sessions });
      await this.#stream.sendWhenRoom(frameOf({ event: 'observed', data }));
    }
    this.#isSending = false;
    if (this.#waiting.size > 0) await this.#sendWaiting();
  }

  async #send(change: StatusChange): Promise<void> {
    await this.#stream.sendWhenRoom(frameOf({ event: 'status', data: JSON.stringify(change) }));
  }
}
