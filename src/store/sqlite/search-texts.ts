import { searchWords } from '../../domain/thread/search-words.js';
import { Failure } from '../../protocol/failure.js';
import type { ThreadId } from '../../protocol/id.js';
import type { SearchText } from '../sql/transaction.js';
import type { SqliteConnection } from './connection.js';

const insertText = `insert into search_texts (thread_id, seq) values (?, ?)`;
const insertIndex = 'insert into search_index (rowid, text) values (last_insert_rowid(), ?)';
const deleteIndex = `delete from search_index where rowid in
  (select n from search_texts where thread_id = ? and seq >= ? and seq <= ?)`;
const deleteTexts = 'delete from search_texts where thread_id = ? and seq >= ? and seq <= ?';

/** A change of the index: a text that is added, or a thread whose texts from one number to another go. */
type IndexChange =
  | ({ readonly kind: 'add' } & SearchText)
  | { readonly kind: 'remove'; readonly threadId: ThreadId; readonly from: number; readonly to: number };

/**
 * The words of a group's units, written into the index at its end and in its transaction: FTS5 writes a piece of its
 * index at every savepoint, and each unit has one. Two thousand texts took 177 ms so, and 24 ms together.
 */
export class SearchTexts {
  readonly #connection: SqliteConnection;
  #changes: IndexChange[] = [];
  #marked = 0;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  add(text: SearchText): void {
    if (text.text !== '') this.#changes.push({ kind: 'add', ...text });
  }

  /** Takes texts of a thread out of the index. */
  remove(threadId: ThreadId, { from = 0, to = Number.MAX_SAFE_INTEGER } = {}): void {
    this.#changes.push({ kind: 'remove', threadId, from, to });
  }

  /** Brings the index up to date; before the commit. */
  write(): void {
    for (const change of this.#changes) this.#write(change);
  }

  /** From here on changes can be taken back. */
  mark(): void {
    this.#marked = this.#changes.length;
  }

  /** Takes back what changed since the mark. */
  rewind(): void {
    this.#changes.length = this.#marked;
  }

  clear(): void {
    this.#changes = [];
    this.#marked = 0;
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

/** What FTS5 is asked for: every word, or a longer one that begins so. Quoted, so that no word is an operator. */
export function matchOf(search: string): string {
  const words = searchWords(search);
  if (words.length === 0) throw new Failure('invalid', 'Search for at least one letter or digit.');
  return words.map((word) => `"${word.replaceAll('"', '""')}"*`).join(' ');
}
