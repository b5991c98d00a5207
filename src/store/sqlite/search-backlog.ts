import { searchTextOf, threadSearchText } from '../../domain/thread/search-text.js';
import type { SqliteConnection } from './connection.js';

/** In place of the first event whose words are missing: only the thread's own words are. */
export const titleOnly = Number.MAX_SAFE_INTEGER;

// Enough to be quick, and few enough that the largest events fit into memory.
const eventsAtOnce = 200;

const insertBacklog = `insert into search_backlog (thread_id, from_seq) values (?, ?)
  on conflict (thread_id) do update set from_seq = excluded.from_seq`;
const deleteTexts = `where thread_id = ? and (seq = 0 or seq >= ?)`;

/** Says that words of this thread, of this event and later ones, are not in the index. */
export function noteBacklog(connection: SqliteConnection, threadId: string, from: number): void {
  connection.prepare(insertBacklog).run([threadId, from]);
}

/** Says that the index has every word. */
export function clearBacklog(connection: SqliteConnection): void {
  connection.prepare('delete from search_backlog').run([]);
}

/** Writes the words into the index that a process did not come to write before it died. */
export function catchUpSearch(connection: SqliteConnection): void {
  const behind = rows<{ thread_id: string; from_seq: number }>(
    connection,
    'select thread_id, from_seq from search_backlog',
    [],
  );
  if (behind.length === 0) return;
  connection.exec('begin immediate');
  for (const { thread_id, from_seq } of behind) indexAnew(connection, thread_id, from_seq);
  clearBacklog(connection);
  connection.exec('commit');
}

/** The words of a thread itself and of its events from one on, as they are committed: of a removed thread nothing. */
function indexAnew(connection: SqliteConnection, threadId: string, from: number): void {
  connection
    .prepare(`delete from search_index where rowid in (select n from search_texts ${deleteTexts})`)
    .run([threadId, from]);
  connection.prepare(`delete from search_texts ${deleteTexts}`).run([threadId, from]);
  const [thread] = rows<{ title: string; name: string | null }>(
    connection,
    'select title, name from threads where id = ?',
    [threadId],
  );
  if (!thread) return;
  index(connection, threadId, 0, threadSearchText(thread));
  for (let next = from; ; ) {
    const events = rows<{ seq: number; type: string; json: string }>(
      connection,
      `select seq, type, json from events where thread_id = ? and seq >= ? order by seq limit ${eventsAtOnce}`,
      [threadId, next],
    );
    for (const { seq, type, json } of events) index(connection, threadId, seq, searchTextOf(type, json));
    const last = events.at(-1);
    if (!last) return;
    next = last.seq + 1;
  }
}

function index(connection: SqliteConnection, threadId: string, seq: number, text: string): void {
  if (text === '') return;
  connection.prepare('insert into search_texts (thread_id, seq) values (?, ?)').run([threadId, seq]);
  connection.prepare('insert into search_index (rowid, text) values (last_insert_rowid(), ?)').run([text]);
}

function rows<Row>(connection: SqliteConnection, sql: string, values: readonly (string | number)[]): Row[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the columns that the statement names, in a table of ours
  return connection.prepare(sql).all(values) as Row[];
}
