import type { FeedEvent, Host } from '../host/host.js';
import { feedEvent } from '../host/live-feed.js';
import type { ThreadId } from '../protocol/id.js';
import type { EventStream } from './event-stream.js';
import { eventFrame } from './frame.js';

const pageSize = 500;
const mostHeld = 10_000;

/**
 * The events of a thread on one stream: what was committed before, then what comes.
 * It subscribes first and reads the past then, so that between the two nothing is lost and nothing comes twice.
 *
 * | state     | an event arrives                        | it becomes                              |
 * |-----------|-----------------------------------------|-----------------------------------------|
 * | replaying | held; too many are forgotten, re-read   | live, once the past and the held are out |
 * | live      | sent; one that does not follow the last | replaying, from the last                 |
 */
export class ThreadStream {
  readonly #host: Host;
  readonly #stream: EventStream;
  readonly #threadId: ThreadId;
  #last: number;
  #isReplaying = true;
  #held: FeedEvent[] = [];
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
      if (this.#isReplaying) return this.#hold(events.slice(index));
      if (event.seq !== null && event.seq > this.#last + 1) {
        this.#isReplaying = true;
        this.#hold(events.slice(index));
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

  #hold(events: readonly FeedEvent[]): void {
    if (this.#held.length + events.length > mostHeld) {
      this.#held = [];
      this.#hasForgotten = true;
      return;
    }
    this.#held.push(...events);
  }

  async #replay(): Promise<void> {
    do {
      this.#hasForgotten = false;
      // oxlint-disable-next-line no-await-in-loop -- only as often as more events came than can be held
      await this.#sendPast();
    } while (this.#hasForgotten && !this.#stream.closed.aborted);
    const held = this.#held;
    this.#held = [];
    this.#isReplaying = false;
    // Live text from before an event that is sent already belongs to the past.
    const known = held.findLastIndex(({ seq }) => seq !== null && seq <= this.#last);
    for (const event of held.slice(known + 1)) this.#send(event);
  }

  async #sendPast(): Promise<void> {
    const { closed } = this.#stream;
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- a page after the other
      const page = await this.#host.threads.events(this.#threadId, { after: this.#last, limit: pageSize });
      for (const event of page) {
        // oxlint-disable-next-line no-await-in-loop -- at the client's pace
        await this.#stream.sendWhenRoom(eventFrame(feedEvent(event)));
        if (closed.aborted) return;
        this.#last = event.seq;
      }
      if (page.length < pageSize) return;
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
