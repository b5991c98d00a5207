import type { ThreadId } from '../../protocol/id.js';
import type { Change } from '../change.js';
import type { Appended, Operation } from '../operation.js';
import type { WorkerIdentity } from '../unit.js';
import type { DispatchRows } from './dispatch-rows.js';
import type { Reader } from './reader.js';
import type { Steps } from './steps.js';

/** A text on its way into the index; event 0 is the thread itself. */
export interface SearchText {
  readonly threadId: ThreadId;
  readonly seq: number;
  readonly text: string;
}

/** What an operation works with: in whose name, and where it says what it changed. */
export interface Transaction extends Reader {
  readonly worker: WorkerIdentity;
  /** What is known of dispatches, and not written yet. */
  readonly dispatches: DispatchRows;
  changed(change: Change): void;
  /** The one path that every event of every agent takes; each database has a fast way of its own. */
  appendEvents(operation: Operation<'appendEvents'>): Steps<Appended>;
  /** Makes a text found by its words. */
  addSearchText(text: SearchText): Steps<void>;
  /** Takes texts of a thread out of the index: all of them, or those from one number to another. */
  removeSearchTexts(threadId: ThreadId, range?: { readonly from: number; readonly to: number }): Steps<void>;
  /** Writes the numbers of events that were kept back, before a row that has them is read. */
  writeSequences(): Steps<void>;
}
