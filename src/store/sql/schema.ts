import type { Generated } from 'kysely';

// The tables of the SQLite store: ids and times are text, JSON is text, yes and no are 1 and 0.
// `n` numbers rows in the order they were made; times alone would tie.

export interface WorkerRow {
  id: string;
  name: string;
  epoch: number;
  started_at: string;
  heartbeat_at: string;
  profile: Generated<string | null>;
  draining_since: Generated<string | null>;
}

export interface ThreadRow {
  n: Generated<number>;
  id: string;
  name: Generated<string | null>;
  title: string;
  runtime: string;
  workspace: string;
  /** The directory that only one thread's run may work in at a time; null for a worktree, which nobody shares. */
  exclusive_path: string | null;
  launch: string;
  grants: Generated<string>;
  origin: Generated<string | null>;
  status: string;
  last_seq: Generated<number>;
  input_tokens: Generated<number>;
  output_tokens: Generated<number>;
  cost_usd: number | null;
  created_at: string;
  archived_at: Generated<string | null>;
  imported_from: Generated<string | null>;
  terminal: Generated<string | null>;
  session: Generated<string | null>;
  /** The file that its events were moved to. */
  events_in: Generated<string | null>;
  budget: Generated<string | null>;
  snoozed: Generated<string | null>;
  /** Which account of the runtime it uses, as a hash; null is the worker's own. */
  account: Generated<string | null>;
  /** The worker in whose folders it works; a column of PostgreSQL alone. */
  worker_id?: Generated<string>;
}

export interface RunRow {
  n: Generated<number>;
  id: string;
  thread_id: string;
  runtime: string;
  posture: string;
  process: string | null;
  session_id: string | null;
  last_run_seq: Generated<number>;
  started_at: string;
  ended_at: string | null;
  exit: string | null;
  kill_intent: string | null;
  facts: string | null;
  amendments: Generated<string>;
}

export interface DispatchRow {
  n: Generated<number>;
  id: string;
  thread_id: string;
  text: string;
  actor: string;
  title: string | null;
  state: string;
  priority: number;
  retry_of: string | null;
  /** The dispatch whose agent asked for it. */
  parent: Generated<string | null>;
  not_before: string | null;
  why: string | null;
  labels: string | null;
  outcome: string | null;
  request: string;
  idempotency_key: string | null;
  created_at: string;
  ended_at: string | null;
  waits_for: Generated<string | null>;
  decision: Generated<string | null>;
  allowance: Generated<string | null>;
  lease_worker: string | null;
  /** Which life of the worker took the lease. */
  lease_worker_epoch: number | null;
  /** Stays when the lease is released, so that the next one is higher. */
  lease_epoch: Generated<number>;
  lease_until: string | null;
}

export interface AttemptRow {
  dispatch_id: string;
  attempt: number;
  active_ms: Generated<number>;
  run_ids: string;
  started_at: string;
  ended_at: string | null;
  outcome: string | null;
}

export interface EventRow {
  thread_id: string;
  seq: number;
  run_id: string | null;
  run_seq: number | null;
  type: string;
  timestamp: string;
  json: string;
}

interface ToolOutputRow {
  thread_id: string;
  tool_use_id: string;
  /** As JSON, in which a NUL or half a surrogate pair can be kept. */
  text: string;
}

interface SearchTextRow {
  n: Generated<number>;
  thread_id: string;
  /** The event; 0 is the thread itself. */
  seq: number;
}

export interface PromptRow {
  n: Generated<number>;
  id: string;
  thread_id: string;
  kind: string;
  state: string;
  active: number;
  questions: string;
  action: string | null;
  fingerprint: string;
  answers: string | null;
  answer: string | null;
  actor: string | null;
  reason: string | null;
  deadline: string | null;
  on_unanswered: string;
  undo_until: string | null;
  untold: Generated<number>;
  dropped: Generated<number>;
  accepted_at: string | null;
  delivered_at: string | null;
  consumed_at: string | null;
  created_at: string;
  run_id: string | null;
  request_id: string | null;
  tool_use_id: string | null;
  asked_seq: number | null;
  /** The piece of work that it was asked in. */
  work: Generated<string | null>;
  carry: string | null;
  /** By what later prompts of the project find it. */
  project: Generated<string | null>;
  same_key: Generated<string | null>;
  similar_key: Generated<string | null>;
}

export interface StatusLogRow {
  n: Generated<number>;
  thread_id: string;
  report: string;
  at: string;
}

interface UsageRow {
  day: string;
  runtime: string;
  thread_id: string;
  status: string;
  input_tokens: number;
  output_tokens: number;
  cost_usd: number | null;
  cpu_ms: Generated<number>;
  alive_ms: Generated<number>;
  memory_byte_seconds: Generated<number>;
  peak_memory_bytes: Generated<number>;
}

type RemovedUsageRow = Omit<UsageRow, 'thread_id'>;

export interface LandingRow {
  n: Generated<number>;
  id: string;
  thread_id: string;
  state: string;
  record: string;
}

export interface ReviewCommentRow {
  n: Generated<number>;
  id: string;
  thread_id: string;
  file: string;
  state: string;
  record: string;
}

export interface ScheduleRow {
  n: Generated<number>;
  worker_id?: Generated<string>;
  id: string;
  name: string;
  due_at: string | null;
  record: string;
  spent_usd: Generated<number | null>;
  spent_tokens: Generated<number>;
}

interface ScheduleRunRow {
  n: Generated<number>;
  id: string;
  schedule_id: string;
  tick_at: string | null;
  dispatch_id: string | null;
  record: string;
}

export interface PipelineRow {
  n: Generated<number>;
  worker_id?: Generated<string>;
  id: string;
  thread_id: string;
  state: string;
  record: string;
}

export interface RuleRow {
  n: Generated<number>;
  id: string;
  name: string;
  version: number;
  state: string;
  record: string;
  used: Generated<number>;
  last_used_at: string | null;
}

interface PipelinePhaseRow {
  pipeline_id: string;
  key: string;
  record: string;
}

export interface OutboxRow {
  n: Generated<number>;
  worker_id?: Generated<string>;
  id: string;
  kind: string;
  payload: string;
  due_at: string;
  tries: Generated<number>;
  done_at: string | null;
}

/** Every table, for kysely. */
export interface Schema {
  workers: WorkerRow;
  threads: ThreadRow;
  runs: RunRow;
  dispatches: DispatchRow;
  attempts: AttemptRow;
  events: EventRow;
  tool_outputs: ToolOutputRow;
  search_texts: SearchTextRow;
  prompts: PromptRow;
  status_log: StatusLogRow;
  usage: UsageRow;
  removed_usage: RemovedUsageRow;
  landings: LandingRow;
  review_comments: ReviewCommentRow;
  schedules: ScheduleRow;
  schedule_runs: ScheduleRunRow;
  pipelines: PipelineRow;
  pipeline_phases: PipelinePhaseRow;
  rules: RuleRow;
  outbox: OutboxRow;
}
