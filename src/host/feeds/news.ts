import type { StatusChange } from '../../protocol/api.js';
import type { ThreadId } from '../../protocol/id.js';

/** An event as subscribers get it; the same object for all of them. */
export interface FeedEvent {
  /** Null for live text, which has no place in the thread. */
  readonly seq: number | null;
  readonly type: string;
  /** The event as the API shows it: with `seq` and `runId`. */
  readonly json: string;
}

/** Tells of events once they are committed, in the order of their thread. */
export interface EventFeed {
  /** The listener must not wait; it gets every event that is committed from now on, and live text where asked. */
  subscribe(
    threadId: ThreadId,
    options: { readonly live: boolean },
    listener: (events: readonly FeedEvent[]) => void,
  ): Disposable;
}

/** The latest status of threads; a subscriber that missed some reads the latest. */
export interface StatusBus {
  subscribe(listener: (change: StatusChange) => void): Disposable;
}
