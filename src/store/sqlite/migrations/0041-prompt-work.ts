import { type Kysely, type Migration, sql } from 'kysely';

/** In which piece of work a prompt was asked. */
export const promptWork: Migration = {
  async up(db: Kysely<unknown>) {
    await sql.raw('alter table prompts add column work text').execute(db);
  },
};
