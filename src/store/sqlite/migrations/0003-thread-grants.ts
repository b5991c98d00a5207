import { type Kysely, type Migration, sql } from 'kysely';

/** Approvals for a whole thread are kept with it. */
export const threadGrants: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw("alter table threads add column grants text not null default '[]'").execute(db);
  },
};
