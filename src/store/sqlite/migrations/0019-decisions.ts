import { type Kysely, type Migration, sql } from 'kysely';

/** A prompt of the worker's own whose answer decides about a dispatch. */
export const dispatchDecisions: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table dispatches add column decision text').execute(db);
    await sql
      .raw('create index dispatches_undecided on dispatches (thread_id) where decision is not null')
      .execute(db);
  },
};
