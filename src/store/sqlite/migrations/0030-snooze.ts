import { type Kysely, type Migration, sql } from 'kysely';

/** Until when somebody has put a thread off. */
export const threadSnoozes: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table threads add column snoozed text').execute(db);
  },
};
