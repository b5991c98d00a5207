import { setTimeout as delay } from 'node:timers/promises';
import type { Host } from '../host/host.js';
import { Failure } from '../protocol/failure.js';
import { given } from '../protocol/given.js';
import type { PromptId, ThreadId } from '../protocol/id.js';
import type { EventStream } from './event-stream.js';
import { frameOf } from './frame.js';

// A busy thread changes hundreds of times a second; nobody reads a list faster than this.
const pauseMs = 200;

/**
 * What an overview shows, on one stream: every thread and every open prompt, then whatever of them has changed.
 * Only the present state of a thing is ever sent, so a slow client misses steps between and never falls behind.
 */
export class OverviewStream {
  readonly #host: Host;
  readonly #stream: EventStream;
  #threads = new Set<ThreadId>();
  #prompts = new Set<PromptId>();
  #hasMissed = true;
  #hasSeen = true;

  private constructor({ host, stream }: OverviewStreamOptions) {
    this.#host = host;
    this.#stream = stream;
  }

  /** Follows everything until the client is gone. */
  static async follow(options: OverviewStreamOptions): Promise<void> {
    const follower = new OverviewStream(options);
    const { closed } = options.stream;
    // Subscribed first, so that nothing is lost between the present and the first change.
    using changes = options.host.changes();
    const seeing = options.host.observed.subscribe(() => {
      follower.#hasSeen = true;
    });
    closed.addEventListener('abort', () => {
      changes.close();
      seeing[Symbol.dispose]();
    });
    const collecting = follower.#collect(changes);
    while (!closed.aborted) {
      await follower.#sendRound();
      await delay(pauseMs);
    }
    await collecting;
  }

  async #collect(changes: ReturnType<Host['changes']>): Promise<void> {
    for await (const change of changes) {
      if (change.topic === 'missed') this.#hasMissed = true;
      else if (change.topic === 'prompt') this.#prompts.add(change.promptId);
      if ('threadId' in change) this.#threads.add(change.threadId);
    }
  }

  async #sendRound(): Promise<void> {
    if (this.#hasMissed) await this.#sendPresent();
    if (this.#hasSeen) await this.#sendObserved();
    const [threads, prompts] = [this.#threads, this.#prompts];
    this.#threads = new Set();
    this.#prompts = new Set();
    for (const id of threads) {
      const isThere = await this.#sendNow('thread', () => this.#host.threads.get(id));
      if (!isThere) await this.#send('removed', { id });
    }
    for (const id of prompts) {
      await this.#sendNow('prompt', () => this.#host.prompts.get(id));
    }
  }

  /** Sends what it is now; false if it was removed since it changed. */
  async #sendNow(event: string, read: () => Promise<object>): Promise<boolean> {
    const row = await read().catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'not_found') return null;
      throw error;
    });
    if (row) await this.#send(event, row);
    return row !== null;
  }

  async #sendPresent(): Promise<void> {
    this.#hasMissed = false;
    await this.#sendAll('thread', (part) =>
      this.#host.threads.list({ ...part, order: 'newest_first', archived: 'include' }),
    );
    await this.#sendAll('prompt', (part) => this.#host.prompts.list({ ...part, open: true }));
    await this.#sendObserved();
    await this.#send('present', {});
  }

  async #sendObserved(): Promise<void> {
    this.#hasSeen = false;
    await this.#send('observed', { sessions: this.#host.observed.list() });
  }

  async #sendAll(
    event: string,
    read: (part: { readonly limit: number; readonly cursor?: string }) => Promise<{
      readonly rows: readonly object[];
      readonly next?: string;
    }>,
  ): Promise<void> {
    let cursor: string | undefined;
    do {
      const page = await read({ limit: 500, ...given({ cursor }) });
      for (const row of page.rows) {
        await this.#send(event, row);
      }
      cursor = page.next;
    } while (cursor !== undefined && !this.#stream.closed.aborted);
  }

  async #send(event: string, data: object): Promise<void> {
    await this.#stream.sendWhenRoom(frameOf({ event, data: JSON.stringify(data) }));
  }
}

interface OverviewStreamOptions {
  readonly host: Host;
  readonly stream: EventStream;
}
