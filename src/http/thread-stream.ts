import { feedEvent } from '../host/feeds/live-feed.js';
import type { FeedEvent } from '../host/feeds/news.js';
import type { Host } from '../host/host.js';
import type { ThreadId } from '../protocol/id.js';
import type { EventStream } from './event-stream.js';
import { eventFrame } from './frame.js';

const pageSize = 500;
const mostBuffered = 10_000;
const mostBufferedBytes = 4 * 1024 * 1024;

/**
 * The events of a thread on one stream: what was committed before, then what comes.
 * It subscribes first and reads the past then, so that between the two nothing is lost and nothing comes twice.
 *
 * | state     | an event arrives                        | it becomes                              |
 * |-----------|-----------------------------------------|-----------------------------------------|
 * | replaying | buffered; too many are dropped, re-read | live, once the past and the buffer are out |
 * | live      | sent; one that does not follow the last | replaying, from the last                 |
 */
export class ThreadStream {
  readonly #host: Host;
  readonly #stream: EventStream;
  readonly #threadId: ThreadId;
  #last: number;
  #isReplaying = true;
  #buffered: FeedEvent[] = [];
  #bufferedBytes = 0;
  #hasForgotten = false;

  private constructor(options: ThreadStreamOptions) {
    this.#host = options.host;
    this.#stream = options.stream;
    this.#threadId = options.threadId;
    this.#last = options.after;
  }

  /** Follows a thread until the client is gone. */
  static async follow(options: ThreadStreamOptions): Promise<void> {
    const follower = new ThreadStream(options);
    const { closed } = options.stream;
    const subscription = options.host.feed.subscribe(options.threadId, { live: options.live }, (events) =>
      options.stream.together(() => follower.#take(events)),
    );
    closed.addEventListener('abort', () => subscription[Symbol.dispose]());
    if (closed.aborted) subscription[Symbol.dispose]();
    await follower.#replay();
  }

  #take(events: readonly FeedEvent[]): void {
    for (const [index, event] of events.entries()) {
      if (this.#isReplaying) return this.#buffer(events.slice(index));
      if (event.seq !== null && event.seq > this.#last + 1) {
        this.#isReplaying = true;
        this.#buffer(events.slice(index));
        this.#replay().catch(() => this.#stream.drop('The thread cannot be read now. Connect again.'));
        return;
      }
      this.#send(event);
    }
  }

  #send(event: FeedEvent): void {
    if (event.seq !== null) {
      if (event.seq <= this.#last) return;
      this.#last = event.seq;
    }
    this.#stream.send(eventFrame(event));
  }

  #buffer(events: readonly FeedEvent[]): void {
    const bytes = events.reduce((sum, { json }) => sum + json.length, this.#bufferedBytes);
    if (this.#buffered.length + events.length > mostBuffered || bytes > mostBufferedBytes) {
      this.#takeBuffered();
      this.#hasForgotten = true;
      return;
    }
    this.#buffered.push(...events);
    this.#bufferedBytes = bytes;
  }

  #takeBuffered(): FeedEvent[] {
    const buffered = this.#buffered;
    this.#buffered = [];
    this.#bufferedBytes = 0;
    return buffered;
  }

  async #replay(): Promise<void> {
    do {
      this.#hasForgotten = false;
      await this.#sendPast();
    } while (this.#hasForgotten && !this.#stream.closed.aborted);
    const buffered = this.#takeBuffered();
    this.#isReplaying = false;
    // Live text from before an event that is sent already belongs to the past.
    const known = buffered.findLastIndex(({ seq }) => seq !== null && seq <= this.#last);
    for (const event of buffered.slice(known + 1)) this.#send(event);
  }

  async #sendPast(): Promise<void> {
    const { closed } = this.#stream;
    for (;;) {
      const range = { after: this.#last, limit: pageSize };
      const { events, next } = await this.#host.threads.events(this.#threadId, range);
      for (const event of events) {
        await this.#stream.sendWhenRoom(eventFrame(feedEvent(event)));
        if (closed.aborted) return;
        this.#last = event.seq;
      }
      if (next === undefined) return;
    }
  }
}

interface ThreadStreamOptions {
  readonly host: Host;
  readonly stream: EventStream;
  readonly threadId: ThreadId;
  /** The last event that the client has. */
  readonly after: number;
  readonly live: boolean;
}
