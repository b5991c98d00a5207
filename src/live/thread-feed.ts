import type { Client } from '../client/client.js';
import type { FollowedEvent } from '../client/thread-event.js';
import { errorSentence } from '../protocol/error-sentence.js';
import type { ThreadId } from '../protocol/id.js';
import { type AgentFacts, noAgentFacts, withEvent } from './agent-facts.js';
import { afterEvent, type LiveThreadText, noLiveText } from './live-thread-text.js';
import { Timeline, type TimelineEntry } from './timeline.js';

/** How many events are read at first; an hour of work has some thousands, and a screen shows a few dozen. */
const tail = 600;
const pageSize = 1000;
// Many events come together; where very many come, a person reads none of them, and drawing costs more than it shows.
const gatherMs = 100;
const gatherManyMs = 400;
const many = 50;

/** What is read of a thread so far. */
export interface FeedView {
  readonly entries: readonly TimelineEntry[];
  /** The events behind them, oldest first; the same array, longer each time. */
  readonly events: readonly FollowedEvent[];
  readonly facts: AgentFacts;
  readonly live: LiveThreadText;
  /** The place of the oldest event that is read, or 1. */
  readonly from: number;
  readonly isLoaded: boolean;
  readonly isReading: boolean;
  readonly failure: string | undefined;
}

const emptyView: FeedView = {
  entries: [],
  events: [],
  facts: noAgentFacts,
  live: noLiveText,
  from: 1,
  isLoaded: false,
  isReading: false,
  failure: undefined,
};

/** Reads a thread from its end, follows it, and reads what is older when it is asked for. */
export class ThreadFeed {
  readonly #client: Client;
  readonly #threadId: ThreadId;
  readonly #timeline = new Timeline();
  readonly #listeners = new Set<() => void>();
  #events: FollowedEvent[] = [];
  #view = emptyView;
  /** The newest event that is read. */
  #last: number | undefined;
  #changed: Partial<FeedView> = {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sinceShown = 0;
  #pause = gatherMs;

  constructor(client: Client, threadId: ThreadId) {
    this.#client = client;
    this.#threadId = threadId;
  }

  get view(): FeedView {
    return this.#view;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Reads the end of the thread, once, and follows it from there. */
  async follow(signal: AbortSignal): Promise<void> {
    if (this.#view.failure !== undefined) this.#show({ failure: undefined });
    try {
      this.#last ??= await this.#readEnd();
      const stream = this.#client.events(this.#threadId, {
        after: this.#last,
        live: true,
        signal,
        // What was being written when the connection broke is told again once it is written.
        onBreak: () => this.#gather({ live: noLiveText }),
      });
      for await (const event of stream) this.#take(event);
    } catch (error) {
      if (!signal.aborted) this.#show({ failure: errorSentence(error), isLoaded: true });
    }
  }

  async #readEnd(): Promise<number> {
    const { lastSeq } = await this.#client.threads.get(this.#threadId);
    const after = Math.max(0, lastSeq - tail);
    for await (const event of this.#client.threads.storedEvents(this.#threadId, { after, upTo: lastSeq }))
      this.#take(event);
    this.#show({ isLoaded: true, from: after + 1 });
    return lastSeq;
  }

  /** Reads the part before the oldest event that is there. */
  async readEarlier(): Promise<void> {
    const { from, isReading } = this.#view;
    if (isReading || from <= 1) return;
    this.#show({ isReading: true });
    const after = Math.max(0, from - 1 - pageSize);
    try {
      const events: FollowedEvent[] = [];
      const range = { after, upTo: from - 1 };
      for await (const event of this.#client.threads.storedEvents(this.#threadId, range)) events.push(event);
      this.#timeline.prepend(events);
      this.#events = [...events, ...this.#events];
      this.#show({ from: after + 1, isReading: false });
    } catch (error) {
      this.#show({ isReading: false, failure: errorSentence(error) });
    }
  }

  #take(event: FollowedEvent): void {
    this.#sinceShown += 1;
    const { facts = this.#view.facts, live = this.#view.live } = this.#changed;
    if (event.seq !== null) {
      this.#last = event.seq;
      this.#timeline.append(event);
      this.#events.push(event);
    }
    this.#gather({ facts: withEvent(facts, event), live: afterEvent(live, event) });
  }

  #gather(changed: Partial<FeedView>): void {
    this.#changed = { ...this.#changed, ...changed };
    this.#timer ??= setTimeout(() => this.#show({}), this.#pause);
  }

  #show(changed: Partial<FeedView>): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pause = this.#sinceShown > many ? gatherManyMs : gatherMs;
    this.#sinceShown = 0;
    this.#view = {
      ...this.#view,
      ...this.#changed,
      ...changed,
      entries: this.#timeline.entries,
      events: this.#events,
    };
    this.#changed = {};
    for (const listener of this.#listeners) listener();
  }
}
