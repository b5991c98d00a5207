import type { RunId, ThreadId } from '../protocol/id.js';

/**
 * An event on its way into a thread; `json` is the line as the runner wrote it.
 * Text, not an object: an event of a newer runner is kept as it is, and a page of events reaches a browser unparsed.
 */
export interface NewEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly runSeq?: number;
  readonly json: string;
}

/** An event with its place in the thread; events that no runner reported have neither run nor `runSeq`. */
export interface StoredEvent {
  readonly threadId: ThreadId;
  readonly seq: number;
  readonly runId: RunId | null;
  readonly runSeq: number | null;
  readonly type: string;
  readonly timestamp: string;
  readonly json: string;
}
