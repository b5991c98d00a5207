import { type Kysely, type Migration, sql } from 'kysely';

/** Work that waits until a usage limit is over. */
export const quotaWaits: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table dispatches add column waits_for text').execute(db);
    await sql
      .raw('create index dispatches_waiting on dispatches (not_before) where waits_for is not null')
      .execute(db);
  },
};
