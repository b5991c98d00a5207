import { type Kysely, type Migration, sql } from 'kysely';

/** An answer may be held back for a while, so that it can be undone. */
export const heldAnswers: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table prompts add column undo_until text').execute(db);
    await sql
      .raw('create index prompts_held_back on prompts (undo_until) where undo_until is not null')
      .execute(db);
  },
};
