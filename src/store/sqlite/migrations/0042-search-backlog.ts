import { type Kysely, type Migration, sql } from 'kysely';

/** From which event on the words of a thread are not in the index yet. */
export const searchBacklog: Migration = {
  async up(db: Kysely<unknown>) {
    // No foreign key: a thread that was removed is noted, too, until its words are gone.
    await sql
      .raw(
        `create table search_backlog (
          thread_id text primary key,
          from_seq integer not null
        ) without rowid`,
      )
      .execute(db);
  },
};
