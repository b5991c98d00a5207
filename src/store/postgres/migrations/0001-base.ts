// Compared byte by byte: ids and times are, and the order of a language would take another index.
const text = 'text collate "C"';
const number = 'bigint generated always as identity primary key';

/** The first schema: what the SQLite store has after its own migrations, in PostgreSQL's words. */
export const firstSchema: readonly string[] = [
  // JSON is kept as text, as it came. What no text of PostgreSQL can hold (a NUL, half a surrogate pair) is escaped in it,
  // and must not make a query fail that looks for something else.
  `create function record_field(record text, field text) returns text language sql immutable parallel safe as $$
    select regexp_replace(record, '\\\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\\\\ufffd', 'g')::json ->> field
  $$`,

  // commits counts what this worker has committed, so that others notice when a notice was lost.
  `create table workers (
    id ${text} primary key,
    name ${text} not null unique,
    epoch integer not null,
    started_at ${text} not null,
    heartbeat_at ${text} not null,
    commits bigint not null default 0
  )`,

  `create table threads (
    n ${number},
    id ${text} not null unique,
    name ${text},
    title ${text} not null,
    runtime ${text} not null,
    workspace ${text} not null,
    exclusive_path ${text},
    launch ${text} not null,
    grants ${text} not null default '[]',
    origin ${text},
    status ${text} not null,
    last_seq integer not null default 0,
    input_tokens bigint not null default 0,
    output_tokens bigint not null default 0,
    cost_usd double precision,
    created_at ${text} not null,
    archived_at ${text},
    imported_from ${text},
    terminal ${text},
    session ${text},
    events_in ${text},
    worker_id ${text} not null references workers (id)
  )`,
  'create index threads_of_worker on threads (worker_id)',
  'create index threads_by_path on threads (exclusive_path) where exclusive_path is not null',
  `create unique index threads_by_name on threads (lower(name)) where name is not null and archived_at is null`,
  'create index threads_in_terminal on threads (id) where terminal is not null',

  `create table runs (
    n ${number},
    id ${text} not null unique,
    thread_id ${text} not null references threads (id),
    runtime ${text} not null,
    posture ${text} not null,
    process ${text},
    session_id ${text},
    last_run_seq integer not null default 0,
    started_at ${text} not null,
    ended_at ${text},
    exit ${text},
    kill_intent ${text},
    facts ${text},
    amendments ${text} not null default '[]'
  )`,
  'create index runs_by_thread on runs (thread_id, n)',
  'create index live_runs on runs (thread_id) where ended_at is null',
  'create index runs_by_session on runs (session_id) where session_id is not null',

  `create table dispatches (
    n ${number},
    id ${text} not null unique,
    thread_id ${text} not null references threads (id),
    text ${text} not null,
    actor ${text} not null,
    title ${text},
    state ${text} not null,
    priority integer not null,
    retry_of ${text},
    parent ${text},
    not_before ${text},
    why ${text},
    labels ${text},
    outcome ${text},
    request ${text} not null,
    idempotency_key ${text} unique,
    created_at ${text} not null,
    ended_at ${text},
    waits_for ${text},
    decision ${text},
    lease_worker ${text},
    lease_worker_epoch integer,
    lease_epoch integer not null default 0,
    lease_until ${text}
  )`,
  'create index dispatches_by_thread on dispatches (thread_id, n)',
  'create index dispatches_by_state on dispatches (state, n)',
  'create index dispatches_by_parent on dispatches (parent, n) where parent is not null',
  'create index dispatches_by_actor on dispatches (actor, n)',
  // What has ended is most of the table, and no claim looks at it.
  `create index queued_dispatches on dispatches (priority desc, n) where state = 'queued'`,
  `create index unended_dispatches on dispatches (thread_id, n) where state <> 'ended'`,
  'create index dispatches_waiting on dispatches (not_before) where waits_for is not null',
  'create index dispatches_undecided on dispatches (thread_id) where decision is not null',

  `create table attempts (
    dispatch_id ${text} not null references dispatches (id),
    attempt integer not null,
    run_ids ${text} not null,
    started_at ${text} not null,
    ended_at ${text},
    outcome ${text},
    active_ms bigint not null default 0,
    primary key (dispatch_id, attempt)
  )`,

  // Without foreign keys: whoever appends has the thread and the run locked already.
  `create table events (
    thread_id ${text} not null,
    seq integer not null,
    run_id ${text},
    run_seq integer,
    type ${text} not null,
    timestamp ${text} not null,
    json ${text} not null,
    primary key (thread_id, seq)
  )`,
  'create unique index events_by_run on events (run_id, run_seq) where run_seq is not null',

  `create table tool_outputs (
    thread_id ${text} not null references threads (id),
    tool_use_id ${text} not null,
    text ${text} not null,
    primary key (thread_id, tool_use_id)
  )`,

  `create table search_texts (
    n ${number},
    thread_id ${text} not null,
    seq integer not null,
    words tsvector not null,
    unique (thread_id, seq)
  )`,
  'create index search_words on search_texts using gin (words)',

  `create table prompts (
    n ${number},
    id ${text} not null unique,
    thread_id ${text} not null references threads (id),
    kind ${text} not null,
    state ${text} not null,
    active integer not null,
    questions ${text} not null,
    action ${text},
    fingerprint ${text} not null,
    answers ${text},
    answer ${text},
    actor ${text},
    reason ${text},
    deadline ${text},
    on_unanswered ${text} not null,
    undo_until ${text},
    untold integer not null default 0,
    dropped integer not null default 0,
    accepted_at ${text},
    delivered_at ${text},
    consumed_at ${text},
    created_at ${text} not null,
    run_id ${text} references runs (id),
    request_id ${text},
    tool_use_id ${text},
    asked_seq integer,
    carry ${text}
  )`,
  'create index prompts_by_thread on prompts (thread_id, n)',
  'create index prompts_by_state on prompts (state, n)',
  'create unique index active_prompts on prompts (thread_id) where active = 1',
  'create index prompts_held_back on prompts (undo_until) where undo_until is not null',
  `create index prompts_given_up on prompts (n) where reason = 'server_gave_up'`,
  'create index prompts_untold on prompts (thread_id) where untold = 1',
  `create index prompts_unused on prompts (thread_id) where state = 'answered' and consumed_at is null and dropped = 0`,

  `create table status_log (
    n ${number},
    thread_id ${text} not null references threads (id),
    report ${text} not null,
    at ${text} not null
  )`,
  'create index status_log_by_thread on status_log (thread_id, n)',

  `create table usage (
    day ${text} not null,
    runtime ${text} not null,
    thread_id ${text} not null references threads (id),
    input_tokens bigint not null,
    output_tokens bigint not null,
    cost_usd double precision,
    primary key (day, runtime, thread_id)
  )`,
  'create index usage_of_thread on usage (thread_id)',
  `create table removed_usage (
    day ${text} not null,
    runtime ${text} not null,
    input_tokens bigint not null,
    output_tokens bigint not null,
    cost_usd double precision,
    primary key (day, runtime)
  )`,

  `create table landings (
    n ${number},
    id ${text} not null unique,
    thread_id ${text} not null references threads (id),
    state ${text} not null,
    record ${text} not null
  )`,
  'create index landings_of_thread on landings (thread_id, n)',
  `create index landings_begun on landings (n) where state = 'begun'`,

  `create table review_comments (
    n ${number},
    id ${text} not null,
    thread_id ${text} not null references threads (id),
    file ${text} not null,
    state ${text} not null,
    record ${text} not null
  )`,
  'create unique index review_comments_by_id on review_comments (thread_id, id)',
  'create index review_comments_of_thread on review_comments (thread_id, n)',

  `create table schedules (
    n ${number},
    id ${text} not null unique,
    name ${text} not null,
    due_at ${text},
    record ${text} not null,
    worker_id ${text} not null references workers (id)
  )`,
  'create unique index schedules_by_name on schedules (lower(name))',
  'create index schedules_due on schedules (due_at) where due_at is not null',
  `create table schedule_runs (
    n ${number},
    id ${text} not null unique,
    schedule_id ${text} not null references schedules (id),
    tick_at ${text},
    dispatch_id ${text},
    record ${text} not null
  )`,
  'create index runs_of_schedule on schedule_runs (schedule_id, n)',
  'create unique index schedule_ticks on schedule_runs (schedule_id, tick_at) where tick_at is not null',

  `create table outbox (
    n ${number},
    id ${text} not null unique,
    kind ${text} not null,
    payload ${text} not null,
    due_at ${text} not null,
    tries integer not null default 0,
    done_at ${text},
    worker_id ${text} not null references workers (id)
  )`,
  'create index outbox_due on outbox (worker_id, due_at, n) where done_at is null',
  'create index outbox_done on outbox (done_at) where done_at is not null',
];
