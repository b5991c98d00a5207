import { searchWords } from '../../domain/thread/search-words.js';
import { Failure } from '../../protocol/failure.js';
import type { ThreadId } from '../../protocol/id.js';
import type { SearchText } from '../sql/transaction.js';
import type { SqliteConnection } from './connection.js';
import { clearBacklog, noteBacklog, titleOnly } from './search-backlog.js';

const insertText = `insert into search_texts (thread_id, seq) values (?, ?)`;
const insertIndex = 'insert into search_index (rowid, text) values (last_insert_rowid(), ?)';
const deleteIndex = `delete from search_index where rowid in
  (select n from search_texts where thread_id = ? and seq >= ? and seq <= ?)`;
const deleteTexts = 'delete from search_texts where thread_id = ? and seq >= ? and seq <= ?';

// A flood of words is written in its own commits, so that what waits in memory stays small: a text has at most 20,000 letters.
const mostWaiting = 500;

/** A change of the index: a text that is added, or a thread whose texts from one number to another go. */
type IndexChange =
  | ({ readonly kind: 'add' } & SearchText)
  | { readonly kind: 'remove'; readonly threadId: ThreadId; readonly from: number; readonly to: number };

/**
 * The words of committed units, written into the index later, and together: in each commit they were five pages of a dozen. Until
 * then a row for each thread (search-backlog.ts) says from where its words are missing, so that a process that dies forgets none.
 */
export class SearchTexts {
  readonly #connection: SqliteConnection;
  #changes: IndexChange[] = [];
  /** How many of the changes are committed. */
  #settled = 0;
  #marked = 0;
  /** What the rows of the backlog say, and what the open transaction adds to them. */
  readonly #backlog = new Map<ThreadId, number>();
  #noted: ReadonlyMap<ThreadId, number> = new Map();
  #isWritten = false;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** Whether words that are committed are not in the index yet. */
  get isBehind(): boolean {
    return this.#settled > 0;
  }

  add(text: SearchText): void {
    if (text.text !== '') this.#changes.push({ kind: 'add', ...text });
  }

  /** Takes texts of a thread out of the index. */
  remove(threadId: ThreadId, { from = 0, to = Number.MAX_SAFE_INTEGER } = {}): void {
    this.#changes.push({ kind: 'remove', threadId, from, to });
  }

  /** From here on changes can be taken back. */
  mark(): void {
    this.#marked = this.#changes.length;
  }

  /** Takes back what changed since the mark. */
  rewind(): void {
    this.#changes.length = this.#marked;
  }

  /** Before the commit of a group: makes sure that its words come into the index, whatever happens. */
  keep(): void {
    if (this.#changes.length > mostWaiting) this.write();
    else this.#note();
  }

  /** Brings the index up to date, in the open transaction. */
  write(): void {
    for (const change of this.#changes) this.#write(change);
    clearBacklog(this.#connection);
    this.#isWritten = true;
  }

  /** After the commit. */
  settle(): void {
    if (this.#isWritten) {
      this.#changes = [];
      this.#backlog.clear();
    } else for (const [threadId, from] of this.#noted) this.#backlog.set(threadId, from);
    this.#settled = this.#changes.length;
    this.#begin();
  }

  /** After a transaction that was given up: back to what is committed. */
  rollback(): void {
    this.#changes.length = this.#settled;
    this.#begin();
  }

  #begin(): void {
    this.#marked = this.#settled;
    this.#noted = new Map();
    this.#isWritten = false;
  }

  #note(): void {
    const noted = new Map<ThreadId, number>();
    for (const change of this.#changes.slice(this.#settled)) {
      const { threadId } = change;
      const from = firstEvent(change);
      if (from < (noted.get(threadId) ?? this.#backlog.get(threadId) ?? Infinity)) noted.set(threadId, from);
    }
    for (const [threadId, from] of noted) noteBacklog(this.#connection, threadId, from);
    this.#noted = noted;
  }

  #write(change: IndexChange): void {
    if (change.kind === 'add') {
      this.#connection.prepare(insertText).run([change.threadId, change.seq]);
      this.#connection.prepare(insertIndex).run([change.text]);
      return;
    }
    for (const sql of [deleteIndex, deleteTexts])
      this.#connection.prepare(sql).run([change.threadId, change.from, change.to]);
  }
}

/** The first event of a thread whose words change. */
function firstEvent(change: IndexChange): number {
  if (change.kind === 'add') return change.seq === 0 ? titleOnly : change.seq;
  return change.to === 0 ? titleOnly : Math.max(change.from, 1);
}

/** What FTS5 is asked for: every word, or a longer one that begins so. Quoted, so that no word is an operator. */
export function matchOf(search: string): string {
  const words = searchWords(search);
  if (words.length === 0) throw new Failure('invalid', 'Search for at least one letter or digit.');
  return words.map((word) => `"${word.replaceAll('"', '""')}"*`).join(' ');
}
