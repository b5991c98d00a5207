import { type Kysely, type Migration, sql } from 'kysely';

/** Which account of its runtime a thread uses; null is the worker's own. */
export const threadAccounts: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table threads add column account text').execute(db);
  },
};
