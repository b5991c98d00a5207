import type { DispatchState } from '../protocol/dispatch.js';
import type { DispatchId, PromptId, RunId, ThreadId } from '../protocol/id.js';
import type { PromptState } from '../protocol/prompt.js';
import type { OutboxEntry } from './outbox-entry.js';
import type { Page, PageRequest } from './page.js';
import type { StatusTransition } from './status-transition.js';
import type { StoredDispatch } from './stored-dispatch.js';
import type { StoredEvent } from './stored-event.js';
import type { StoredPrompt } from './stored-prompt.js';
import type { StoredRun } from './stored-run.js';
import type { StoredThread } from './stored-thread.js';
import type { StoredWorker } from './stored-worker.js';
import type { UsageKey, UsageTotal } from './usage-total.js';

/** Everything that can be asked of a store: what each query takes and what comes back. */
export interface QueryTable {
  thread(input: { readonly id: ThreadId }): StoredThread | null;
  threads(input: PageRequest & IdPrefix): Page<StoredThread>;
  /** The highest number in each of these threads, in the order asked; unknown ones are left out. */
  lastSeqs(input: { readonly threadIds: readonly ThreadId[] }): readonly LastSeq[];

  /** Events of a thread after a `seq`, oldest first. */
  events(input: {
    readonly threadId: ThreadId;
    readonly after?: number;
    readonly limit?: number;
  }): readonly StoredEvent[];
  /** Events of a run after a `runSeq`, oldest first. */
  runEvents(input: {
    readonly runId: RunId;
    readonly after?: number;
    readonly limit?: number;
  }): readonly StoredEvent[];

  run(input: { readonly id: RunId }): StoredRun | null;
  runs(input: PageRequest & { readonly threadId?: ThreadId; readonly ended?: boolean }): Page<StoredRun>;

  dispatch(input: { readonly id: DispatchId } | { readonly idempotencyKey: string }): StoredDispatch | null;
  dispatches(
    input: PageRequest &
      IdPrefix & {
        readonly threadId?: ThreadId;
        readonly state?: DispatchState;
        /** Those whose lease had run out by then. */
        readonly leaseExpiredAt?: string;
      },
  ): Page<StoredDispatch>;

  prompt(input: { readonly id: PromptId }): StoredPrompt | null;
  prompts(
    input: PageRequest &
      IdPrefix & {
        readonly threadId?: ThreadId;
        readonly state?: PromptState;
        /** Pending with no answer accepted, or not. */
        readonly open?: boolean;
        readonly fingerprint?: string;
        /** Those whose time is over by then. */
        readonly deadlineBefore?: string;
      },
  ): Page<StoredPrompt>;

  statusLog(input: PageRequest & { readonly threadId: ThreadId }): Page<StatusTransition>;
  usage(input: { readonly by: UsageKey }): readonly UsageTotal[];
  outboxDue(input: { readonly at: string; readonly limit?: number }): readonly OutboxEntry[];
  workers(input: Record<string, never>): readonly StoredWorker[];
}

/** Only what has an id that begins so. */
export interface IdPrefix {
  readonly idPrefix?: string;
}

export interface LastSeq {
  readonly threadId: ThreadId;
  readonly lastSeq: number;
}

export type QueryName = keyof QueryTable;

/** What a query takes. */
export type InputOf<Name extends QueryName> = Parameters<QueryTable[Name]>[0];

/** What a query gives. */
export type AnswerTo<Name extends QueryName> = ReturnType<QueryTable[Name]>;

/** One query as data, named by `ask`. */
export type Query<Name extends QueryName = QueryName> = {
  [Each in Name]: { readonly ask: Each; readonly input: InputOf<Each> };
}[Name];
