import { type Kysely, type Migration, sql } from 'kysely';

/** The first schema: threads and their events, runs, dispatches, prompts, and what a worker keeps beside them. */
export const base: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

const statements = [
  `create table workers (
    id text primary key,
    name text not null unique,
    epoch integer not null,
    started_at text not null,
    heartbeat_at text not null
  )`,

  `create table threads (
    n integer primary key autoincrement,
    id text not null unique,
    title text not null,
    runtime text not null,
    workspace text not null,
    exclusive_path text,
    launch text not null,
    status text not null,
    last_seq integer not null default 0,
    input_tokens integer not null default 0,
    output_tokens integer not null default 0,
    cost_usd double precision,
    created_at text not null
  )`,
  'create index threads_by_path on threads (exclusive_path) where exclusive_path is not null',

  `create table runs (
    n integer primary key autoincrement,
    id text not null unique,
    thread_id text not null references threads (id),
    runtime text not null,
    posture text not null,
    process text,
    session_id text,
    last_run_seq integer not null default 0,
    started_at text not null,
    ended_at text,
    exit text,
    kill_intent text,
    facts text,
    amendments text not null default '[]'
  )`,
  'create index runs_by_thread on runs (thread_id, n)',
  'create index live_runs on runs (thread_id) where ended_at is null',

  `create table dispatches (
    n integer primary key autoincrement,
    id text not null unique,
    thread_id text not null references threads (id),
    text text not null,
    actor text not null,
    title text,
    state text not null,
    priority integer not null,
    retry_of text,
    not_before text,
    why text,
    labels text,
    outcome text,
    request text not null,
    idempotency_key text unique,
    created_at text not null,
    ended_at text,
    lease_worker text,
    lease_worker_epoch integer,
    lease_epoch integer not null default 0,
    lease_until text
  )`,
  'create index dispatches_by_thread on dispatches (thread_id, n)',
  'create index dispatches_by_state on dispatches (state, n)',
  // What has ended is most of the table, and no claim looks at it.
  `create index queued_dispatches on dispatches (priority desc, n) where state = 'queued'`,
  `create index unended_dispatches on dispatches (thread_id, n) where state <> 'ended'`,

  `create table attempts (
    dispatch_id text not null references dispatches (id),
    attempt integer not null,
    run_ids text not null,
    started_at text not null,
    ended_at text,
    outcome text,
    primary key (dispatch_id, attempt)
  )`,

  `create table events (
    thread_id text not null references threads (id),
    seq integer not null,
    run_id text references runs (id),
    run_seq integer,
    type text not null,
    timestamp text not null,
    json text not null,
    primary key (thread_id, seq)
  ) without rowid`,
  'create unique index events_by_run on events (run_id, run_seq) where run_seq is not null',

  `create table prompts (
    n integer primary key autoincrement,
    id text not null unique,
    thread_id text not null references threads (id),
    kind text not null,
    state text not null,
    active integer not null,
    questions text not null,
    action text,
    fingerprint text not null,
    answers text,
    answer text,
    actor text,
    reason text,
    deadline text,
    on_unanswered text not null,
    accepted_at text,
    delivered_at text,
    consumed_at text,
    created_at text not null,
    run_id text references runs (id),
    request_id text,
    tool_use_id text,
    carry text
  )`,
  'create index prompts_by_thread on prompts (thread_id, n)',
  'create index prompts_by_state on prompts (state, n)',
  'create unique index active_prompts on prompts (thread_id) where active = 1',

  `create table status_log (
    n integer primary key autoincrement,
    thread_id text not null references threads (id),
    report text not null,
    at text not null
  )`,
  'create index status_log_by_thread on status_log (thread_id, n)',

  `create table usage (
    day text not null,
    runtime text not null,
    thread_id text not null references threads (id),
    input_tokens integer not null,
    output_tokens integer not null,
    cost_usd double precision,
    primary key (day, runtime, thread_id)
  )`,

  `create table outbox (
    n integer primary key autoincrement,
    id text not null unique,
    kind text not null,
    payload text not null,
    due_at text not null,
    tries integer not null default 0,
    done_at text
  )`,
  'create index outbox_due on outbox (due_at, n) where done_at is null',
];
