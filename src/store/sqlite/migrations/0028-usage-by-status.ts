import { type Kysely, type Migration, sql } from 'kysely';

/** What was used is counted for each status, with processor time and memory; of what was used before, no status is known. */
export const usageByStatus: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of [
      ...rebuilt('usage', ['day', 'runtime', 'thread_id']),
      ...rebuilt('removed_usage', ['day', 'runtime']),
    ])
      await sql.raw(statement).execute(db);
  },
};

/** SQLite cannot change the key of a table, so it is made anew. */
function rebuilt(table: string, key: readonly string[]): string[] {
  const named = key.map((name) =>
    name === 'thread_id' ? 'thread_id text not null references threads (id)' : `${name} text not null`,
  );
  const kept = [...key, 'input_tokens', 'output_tokens', 'cost_usd'].join(', ');
  return [
    `alter table ${table} rename to ${table}_before`,
    `create table ${table} (
    ${named.join(',\n    ')},
    status text not null,
    input_tokens integer not null,
    output_tokens integer not null,
    cost_usd double precision,
    cpu_ms integer not null default 0,
    alive_ms integer not null default 0,
    memory_byte_seconds double precision not null default 0,
    peak_memory_bytes integer not null default 0,
    primary key (${key.join(', ')}, status)
  )`,
    `insert into ${table} (${kept}, status) select ${kept}, 'unknown' from ${table}_before`,
    `drop table ${table}_before`,
  ];
}
