import { type Kysely, type Migration, sql } from 'kysely';

/** The prompts that MCP servers did not wait long enough for are found without reading the others. */
export const givenUpPrompts: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw(`create index prompts_given_up on prompts (n) where reason = 'server_gave_up'`).execute(db);
  },
};
