import { type Kysely, type Migration, sql } from 'kysely';

/** A thread remembers where its work began, so that what changed since can be told. */
export const workOrigins: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table threads add column origin text').execute(db);
  },
};
