/** What work, threads and schedules may spend, and what the work of a schedule has used. */
export const budgetColumns: readonly string[] = [
  'alter table dispatches add column allowance text collate "C"',
  'alter table threads add column budget text collate "C"',
  'alter table schedules add column spent_usd double precision',
  'alter table schedules add column spent_tokens bigint not null default 0',
  'create index schedule_runs_by_dispatch on schedule_runs (dispatch_id) where dispatch_id is not null',
];
