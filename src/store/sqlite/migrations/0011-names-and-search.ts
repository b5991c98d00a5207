import { type Kysely, type Migration, sql } from 'kysely';
import { searchTextOf, threadSearchText } from '../../../domain/thread/search-text.js';

// Enough to be quick, and few enough that the largest events fit into memory.
const eventsAtOnce = 200;

/** Threads have names, can be archived, and are found by the words in them; what is there already is indexed. */
export const namesAndSearch: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
    const threads = await sql<{ id: string; title: string }>`select id, title from threads`.execute(db);
    for (const { id, title } of threads.rows) {
      await index(db, { threadId: id, seq: 0, text: threadSearchText({ title }) });
      await indexEvents(db, id);
    }
  },
};

const statements = [
  'alter table threads add column name text',
  'alter table threads add column archived_at text',
  `create unique index threads_by_name on threads (name collate nocase)
    where name is not null and archived_at is null`,
  // What stands in each row of the index; event 0 is the thread itself. No foreign key: it is written after the rest.
  `create table search_texts (
    n integer primary key autoincrement,
    thread_id text not null,
    seq integer not null,
    unique (thread_id, seq)
  )`,
  // Without a copy of the texts: an excerpt is made from the event.
  `create virtual table search_index using fts5 (
    text, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2"
  )`,
];

async function indexEvents(db: Kysely<unknown>, threadId: string): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<{ seq: number; type: string; json: string }>`
      select seq, type, json from events where thread_id = ${threadId} and seq > ${after}
      order by seq limit ${eventsAtOnce}`.execute(db);
    for (const { seq, type, json } of rows) {
      const text = searchTextOf(type, json);
      if (text !== '') await index(db, { threadId, seq, text });
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.seq;
  }
}

async function index(
  db: Kysely<unknown>,
  { threadId, seq, text }: { threadId: string; seq: number; text: string },
): Promise<void> {
  await sql`insert into search_texts (thread_id, seq) values (${threadId}, ${seq})`.execute(db);
  await sql`insert into search_index (rowid, text) values (last_insert_rowid(), ${text})`.execute(db);
}
