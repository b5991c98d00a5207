import { type Kysely, type Migration, sql } from 'kysely';

/** Work that the agent of other work asked for, and who gave work. */
export const dispatchParents: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table dispatches add column parent text').execute(db);
    await sql
      .raw('create index dispatches_by_parent on dispatches (parent, n) where parent is not null')
      .execute(db);
    await sql.raw('create index dispatches_by_actor on dispatches (actor, n)').execute(db);
  },
};
