import { type Kysely, type Migration, sql } from 'kysely';

/** An answer whose work ended before the agent used it counts for nothing any more. */
export const droppedAnswers: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table prompts add column dropped integer not null default 0').execute(db);
    await sql
      .raw(
        "create index prompts_unused on prompts (thread_id) where state = 'answered' and consumed_at is null and dropped = 0",
      )
      .execute(db);
  },
};
