const text = 'text collate "C"';

/** Runs of pipelines, and what became of their phases. */
export const pipelineTables: readonly string[] = [
  `create table pipelines (
    n bigint generated always as identity primary key,
    id ${text} not null unique,
    thread_id ${text} not null references threads (id),
    state ${text} not null,
    record ${text} not null,
    worker_id ${text} not null references workers (id)
  )`,
  "create index pipelines_open on pipelines (n) where state <> 'ended'",
  'create index pipelines_of_thread on pipelines (thread_id)',
  `create table pipeline_phases (
    pipeline_id ${text} not null references pipelines (id),
    key ${text} not null,
    record ${text} not null,
    primary key (pipeline_id, key)
  )`,
];
