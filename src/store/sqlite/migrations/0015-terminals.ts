import { type Kysely, type Migration, sql } from 'kysely';

/** Threads can be open in a terminal, and go on in a session that was begun there. */
export const threadTerminals: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table threads add column terminal text').execute(db);
    await sql.raw('alter table threads add column session text').execute(db);
    await sql.raw('create index threads_in_terminal on threads (id) where terminal is not null').execute(db);
    await sql
      .raw('create index runs_by_session on runs (session_id) where session_id is not null')
      .execute(db);
  },
};
