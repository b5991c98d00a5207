import { type Kysely, type Migration, sql } from 'kysely';

/** What tools said is kept whole beside the events, which show the beginning of it. */
export const toolOutputs: Migration = {
  async up(db: Kysely<unknown>) {
    await sql
      .raw(
        `create table tool_outputs (
          thread_id text not null references threads (id),
          tool_use_id text not null,
          text text not null,
          primary key (thread_id, tool_use_id)
        )`,
      )
      .execute(db);
  },
};
