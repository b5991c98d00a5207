import { type Kysely, type Migration, sql } from 'kysely';

/** Work that is given again and again, and what became of each time. */
export const scheduleRecords: Migration = {
  async up(db: Kysely<unknown>) {
    const statements = [
      `create table schedules (
        n integer primary key,
        id text not null unique,
        name text not null unique collate nocase,
        due_at text,
        record text not null
      )`,
      'create index schedules_due on schedules (due_at) where due_at is not null',
      `create table schedule_runs (
        n integer primary key,
        id text not null unique,
        schedule_id text not null references schedules (id),
        tick_at text,
        dispatch_id text,
        record text not null
      )`,
      'create index runs_of_schedule on schedule_runs (schedule_id, n)',
      'create unique index schedule_ticks on schedule_runs (schedule_id, tick_at) where tick_at is not null',
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
