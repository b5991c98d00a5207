import { type Kysely, type Migration, sql } from 'kysely';

/** How work became its user's, and what is to be finished where that was cut off. */
export const landingRecords: Migration = {
  async up(db: Kysely<unknown>) {
    await sql
      .raw(
        `create table landings (
          n integer primary key,
          id text not null unique,
          thread_id text not null references threads (id),
          state text not null,
          record text not null
        )`,
      )
      .execute(db);
    await sql.raw('create index landings_of_thread on landings (thread_id, n)').execute(db);
    await sql.raw("create index landings_begun on landings (n) where state = 'begun'").execute(db);
  },
};
