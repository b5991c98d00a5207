import type { Client } from '../../client/client.js';
import { type Fact, type FollowedEvent, factOf } from '../../client/thread-event.js';
import type { Dispatch } from '../../protocol/dispatch.js';
import { Failure } from '../../protocol/failure.js';

/** Failed connections in a row, a bit more than a minute, after which a worker counts as gone for good. */
export const patience = 30;

/** Who watches a dispatch. */
export interface Watcher {
  event(event: FollowedEvent, fact: Fact | undefined): void;
  /** The worker cannot be reached, or can be again. */
  connection(isThere: boolean): void;
  /** Told of every connection that failed, so that somebody may mend it. */
  broke?(): void;
}

export interface FollowOptions {
  readonly client: Client;
  readonly dispatch: Dispatch;
  /** The last event of the thread before the dispatch was given to it. */
  readonly after: number;
  readonly live: boolean;
  readonly signal: AbortSignal;
  readonly watcher: Watcher;
}

/** Follows a dispatch to its end, over restarts of the worker; undefined when it was called off before. */
export async function followDispatch(options: FollowOptions): Promise<Dispatch | undefined> {
  const { client, dispatch, after, live, signal, watcher } = options;
  // In a thread that was there before, work of others may come first.
  let isOurs = after === 0;
  const stream = { after, live, signal, patience, ...tellingConnection(watcher) };
  for await (const event of client.events(dispatch.threadId, stream)) {
    const fact = factOf(event);
    if (fact?.type === 'dispatch_started' && fact.dispatchId === dispatch.id) isOurs = true;
    const isEnd = fact?.type === 'dispatch_ended' && fact.dispatchId === dispatch.id;
    if (isOurs || isEnd) watcher.event(event, fact);
    if (isEnd)
      return ended(client, { ...dispatch, state: 'ended', outcome: fact.outcome, endedAt: event.timestamp });
  }
  return undefined;
}

/** Tells when a worker is lost, and when one is there again; a stream that was only cut is not worth telling. */
export function tellingConnection(watcher: Pick<Watcher, 'connection' | 'broke'>) {
  let isThere = true;
  const tell = (now: boolean) => {
    if (now !== isThere) watcher.connection(now);
    isThere = now;
  };
  return {
    onOpen: () => tell(true),
    onBreak: (failure: Failure | undefined) => {
      if (!failure) return;
      tell(false);
      watcher.broke?.();
    },
  };
}

// A worker that was started for this dispatch may end right after it; then what the event said is all there is.
async function ended(client: Client, known: Dispatch): Promise<Dispatch> {
  try {
    const latest = await client.dispatches.get(known.id);
    return latest.state === 'ended' ? latest : known;
  } catch (error) {
    if (error instanceof Failure && error.code === 'unavailable') return known;
    throw error;
  }
}
