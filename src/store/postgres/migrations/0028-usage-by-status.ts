const text = 'text collate "C"';

/** What was used is counted for each status, with processor time and memory; of what was used before, no status is known. */
export const usageStatusColumns: readonly string[] = [
  ...keyed('usage', 'day, runtime, thread_id'),
  ...keyed('removed_usage', 'day, runtime'),
];

function keyed(table: string, key: string): string[] {
  return [
    `alter table ${table}
      add column status ${text} not null default 'unknown',
      add column cpu_ms bigint not null default 0,
      add column alive_ms bigint not null default 0,
      add column memory_byte_seconds double precision not null default 0,
      add column peak_memory_bytes bigint not null default 0`,
    `alter table ${table} drop constraint ${table}_pkey`,
    `alter table ${table} add primary key (${key}, status)`,
  ];
}
