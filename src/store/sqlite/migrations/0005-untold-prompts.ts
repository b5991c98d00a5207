import { type Kysely, type Migration, sql } from 'kysely';

/** A prompt that was withdrawn is kept in mind until its agent has heard that nobody answers. */
export const untoldPrompts: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table prompts add column untold integer not null default 0').execute(db);
    await sql.raw('create index prompts_untold on prompts (thread_id) where untold = 1').execute(db);
  },
};
