import { type Kysely, type Migration, sql } from 'kysely';

/** Runs of pipelines, and what became of their phases. */
export const pipelineRecords: Migration = {
  async up(db: Kysely<unknown>) {
    const statements = [
      `create table pipelines (
        n integer primary key,
        id text not null unique,
        thread_id text not null references threads (id),
        state text not null,
        record text not null
      )`,
      "create index pipelines_open on pipelines (n) where state <> 'ended'",
      'create index pipelines_of_thread on pipelines (thread_id)',
      `create table pipeline_phases (
        pipeline_id text not null references pipelines (id),
        key text not null,
        record text not null,
        primary key (pipeline_id, key)
      ) without rowid`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
