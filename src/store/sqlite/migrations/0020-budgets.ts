import { type Kysely, type Migration, sql } from 'kysely';

/** What work, threads and schedules may spend, and what the work of a schedule has used. */
export const spendingLimits: Migration = {
  async up(db: Kysely<unknown>) {
    const statements = [
      'alter table dispatches add column allowance text',
      'alter table threads add column budget text',
      'alter table schedules add column spent_usd real',
      'alter table schedules add column spent_tokens integer not null default 0',
      'create index schedule_runs_by_dispatch on schedule_runs (dispatch_id) where dispatch_id is not null',
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
