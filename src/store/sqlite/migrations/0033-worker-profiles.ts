import { type Kysely, type Migration, sql } from 'kysely';

/** What a worker says about itself, and since when it takes no new work. */
export const workerProfiles: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table workers add column profile text').execute(db);
    await sql.raw('alter table workers add column draining_since text').execute(db);
  },
};
