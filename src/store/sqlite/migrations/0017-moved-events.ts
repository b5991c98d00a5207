import { type Kysely, type Migration, sql } from 'kysely';

/** Events of archived threads can be in a file in place of the store. */
export const movedEvents: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table threads add column events_in text').execute(db);
  },
};
