import { type Kysely, type Migration, sql } from 'kysely';

/** What a runtime reports about itself gets a name of its own among the signs of a run. */
export const ownReports: Migration = {
  async up(db: Kysely<unknown>) {
    await sql
      .raw(
        `update runs set facts = json_remove(
           json_set(facts,
             '$.signs.ownReport', json(facts -> '$.signs.said'),
             '$.signs.by.ownReport', json(facts -> '$.signs.by.said')),
           '$.signs.said', '$.signs.by.said')
         where json_type(facts, '$.signs.said') is not null`,
      )
      .execute(db);
  },
};
