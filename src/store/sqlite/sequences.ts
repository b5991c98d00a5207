import type { RunId, ThreadId } from '../../protocol/id.js';
import { UnitRefused } from '../sql/unit-refused.js';
import type { SqliteConnection } from './connection.js';

const selectLastSeq = 'select last_seq from threads where id = ?';
const selectLastRunSeq = 'select last_run_seq from runs where id = ? and thread_id = ?';
const updateLastSeq = 'update threads set last_seq = ? where id = ?';
const updateLastRunSeq = 'update runs set last_run_seq = ? where id = ?';

interface Sequence {
  readonly id: string;
  readonly update: string;
  readonly last: number;
  readonly written: boolean;
}

/**
 * The last numbers of the threads and runs that a group appends to, kept while the group is open and written once at
 * its end: to read and write them for every unit was a third of what a unit cost.
 */
export class Sequences {
  readonly #connection: SqliteConnection;
  readonly #sequences = new Map<string, Sequence>();
  /** What each change since the mark replaced, to go back to when a unit is refused. */
  #replaced: (readonly [key: string, before: Sequence | undefined])[] = [];

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** The number of the thread's last event; a thread that is not there refuses the unit. */
  lastSeq(threadId: ThreadId): number {
    const found = this.#sequences.get(threadId);
    if (found) return found.last;
    const last = this.#read(selectLastSeq, [threadId]);
    this.#set(threadId, { id: threadId, update: updateLastSeq, last, written: true });
    return last;
  }

  /** The number of the run's last event; a run that is not there, or not this thread's, refuses the unit. */
  lastRunSeq(runId: RunId, threadId: ThreadId): number {
    const found = this.#sequences.get(runId + threadId);
    if (found) return found.last;
    const last = this.#read(selectLastRunSeq, [runId, threadId]);
    this.#set(runId + threadId, { id: runId, update: updateLastRunSeq, last, written: true });
    return last;
  }

  advanceSeq(threadId: ThreadId, last: number): void {
    this.#advance(threadId, last);
  }

  advanceRunSeq(runId: RunId, threadId: ThreadId, last: number): void {
    this.#advance(runId + threadId, last);
  }

  /** Brings the rows up to date; before the commit, and before anything reads them. */
  write(): void {
    for (const [key, sequence] of this.#sequences) {
      if (sequence.written) continue;
      this.#connection.prepare(sequence.update).run([sequence.last, sequence.id]);
      this.#set(key, { ...sequence, written: true });
    }
  }

  /** From here on changes can be taken back. */
  mark(): void {
    this.#replaced = [];
  }

  /** Takes back what changed since the mark. */
  rewind(): void {
    for (const [key, before] of this.#replaced.toReversed()) {
      if (before) this.#sequences.set(key, before);
      else this.#sequences.delete(key);
    }
    this.mark();
  }

  /** Forgets everything; the next group reads the rows again. */
  clear(): void {
    this.#sequences.clear();
    this.mark();
  }

  #advance(key: string, last: number): void {
    const sequence = this.#sequences.get(key);
    if (sequence && sequence.last !== last) this.#set(key, { ...sequence, last, written: false });
  }

  #set(key: string, sequence: Sequence): void {
    this.#replaced.push([key, this.#sequences.get(key)]);
    this.#sequences.set(key, sequence);
  }

  #read(sql: string, values: readonly string[]): number {
    const found = this.#connection.number(sql, values);
    if (found === undefined) throw new UnitRefused(null);
    return found;
  }
}
