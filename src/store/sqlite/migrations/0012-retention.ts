import { type Kysely, type Migration, sql } from 'kysely';

/** Threads can be removed and imported: what they cost stays known, and what was sent long ago can be found to be forgotten. */
export const retention: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  'alter table threads add column imported_from text',
  `create table removed_usage (
    day text not null,
    runtime text not null,
    input_tokens integer not null,
    output_tokens integer not null,
    cost_usd double precision,
    primary key (day, runtime)
  )`,
  'create index outbox_done on outbox (done_at) where done_at is not null',
];
