import type { PrecedentKeys } from '../domain/prompts/precedent-keys.js';
import type { ThreadPrompt } from '../domain/prompts/thread-prompt.js';
import type { DispatchState } from '../protocol/dispatch.js';
import type {
  DispatchId,
  PipelineId,
  PromptId,
  RuleId,
  RunId,
  ScheduleId,
  ThreadId,
  WorkerId,
} from '../protocol/id.js';
import type { Outcome } from '../protocol/outcome.js';
import type { PromptState } from '../protocol/prompt.js';
import type { ReviewComment } from '../protocol/review-comment.js';
import type { Rule, RuleState } from '../protocol/rule.js';
import type { ScheduleRun } from '../protocol/schedule.js';
import type { SessionOwner } from '../protocol/terminal.js';
import type { ToolOutputPart } from '../protocol/tool-output.js';
import type { OutboxEntry } from './outbox-entry.js';
import type { Page, PageRequest } from './page.js';
import type { Standing } from './standing.js';
import type { StatusTransition } from './status-transition.js';
import type { StoredDispatch } from './stored-dispatch.js';
import type { StoredEvent } from './stored-event.js';
import type { StoredLanding } from './stored-landing.js';
import type { StoredPhase, StoredPipeline } from './stored-pipeline.js';
import type { StoredRun } from './stored-run.js';
import type { StoredSchedule } from './stored-schedule.js';
import type { StoredThread } from './stored-thread.js';
import type { StoredWorker } from './stored-worker.js';
import type { UsageKey, UsageTotal } from './usage-total.js';

/** Everything that can be asked of a store: what each query takes and what comes back. */
export interface QueryTable {
  thread(input: { readonly id: ThreadId }): StoredThread | null;
  threads(input: PageRequest & ThreadFilter): Page<StoredThread>;
  /** Where the words of a search stand last in each of these threads; event 0 is the thread itself. */
  searchHits(input: {
    readonly search: string;
    readonly threadIds: readonly ThreadId[];
  }): readonly SearchHit[];

  /** About how much each of these threads takes in the store. */
  threadSizes(input: { readonly threadIds: readonly ThreadId[] }): readonly {
    readonly threadId: ThreadId;
    readonly bytes: number;
  }[];

  /** Events of a thread after a `seq`, oldest first; fewer than asked for are the last ones only without `mostBytes`. */
  events(
    input: Pick<PageRequest, 'limit' | 'mostBytes'> & {
      readonly threadId: ThreadId;
      readonly after?: number;
    },
  ): readonly StoredEvent[];

  /** A part of what was kept of a tool's output, of so many characters at most; null where nothing was. */
  toolOutput(input: {
    readonly threadId: ThreadId;
    readonly toolUseId: string;
    readonly after: number;
    readonly limit: number;
  }): ToolOutputPart | null;

  /** Newest first. */
  landings(
    input: OwnOnly & {
      readonly threadId?: ThreadId;
      /** Only of threads of this worker, where several share the store. */
      readonly ofWorker?: WorkerId;
      readonly state?: StoredLanding['state'];
      readonly limit?: number;
    },
  ): readonly StoredLanding[];

  comment(input: { readonly threadId: ThreadId; readonly id: string }): ReviewComment | null;
  comments(
    input: PageRequest & {
      readonly threadId: ThreadId;
      readonly state?: ReviewComment['state'];
      readonly file?: string;
    },
  ): Page<ReviewComment>;

  /** Which threads have these sessions of a runtime. */
  sessionOwners(input: {
    readonly runtime: string;
    readonly sessionIds: readonly string[];
  }): readonly SessionOwner[];

  run(input: { readonly id: RunId }): StoredRun | null;
  runs(
    input: PageRequest & OwnOnly & { readonly threadId?: ThreadId; readonly ended?: boolean },
  ): Page<StoredRun>;

  dispatch(input: { readonly id: DispatchId } | { readonly idempotencyKey: string }): StoredDispatch | null;
  dispatches(
    input: PageRequest &
      IdPart &
      OwnOnly & {
        readonly threadId?: ThreadId;
        /** Only what the agent of this work asked for. */
        readonly parent?: DispatchId;
        /** Only of threads of this worker. */
        readonly ofWorker?: WorkerId;
        readonly by?: Giver;
        readonly state?: DispatchState;
        readonly result?: Outcome['result'];
        readonly labels?: readonly LabelFilter[];
        /** A person is to decide, or has decided, about what failed. */
        readonly isUndecided?: boolean;
      },
  ): Page<StoredDispatch>;

  prompt(input: { readonly id: PromptId }): ThreadPrompt | null;
  prompts(
    input: PageRequest &
      IdPart &
      OwnOnly & {
        readonly threadId?: ThreadId;
        readonly state?: PromptState;
        /** Pending with no answer accepted, or not. */
        readonly open?: boolean;
        /** Withdrawn ones of which the agent has not heard yet. */
        readonly untold?: true;
        /** Delivered answers that the agent has not used, and that still count. */
        readonly unused?: true;
        /** What MCP servers asked and did not wait long enough for. */
        readonly givenUp?: true;
        /** Those with an answer that can still be undone. */
        readonly heldBack?: true;
        /** Those whose time is over by then. */
        readonly deadlineBefore?: string;
        /** Those that a person has answered in this project. */
        readonly answeredIn?: string;
      },
  ): Page<ThreadPrompt>;
  /** What persons have answered to the same prompt or one like it, in the same project: the same first, the newest first. */
  precedents(input: {
    readonly keys: PrecedentKeys;
    readonly except: PromptId;
    readonly limit: number;
  }): readonly ThreadPrompt[];

  rule(input: { readonly id: RuleId }): Rule | null;
  rules(input: PageRequest & IdPart & { readonly name?: string; readonly state?: RuleState }): Page<Rule>;

  statusLog(input: PageRequest & { readonly threadId: ThreadId }): Page<StatusTransition>;
  usage(input: { readonly by: UsageKey }): readonly UsageTotal[];
  /** Of what this worker has to send. */
  outboxDue(input: {
    readonly at: string;
    readonly limit?: number;
    readonly exceptKinds?: readonly string[];
  }): readonly OutboxEntry[];
  schedule(
    input:
      | { readonly id: ScheduleId }
      | { readonly name: string }
      /** The one that gave this work. */
      | { readonly dispatchId: DispatchId },
  ): StoredSchedule | null;
  schedules(
    input: PageRequest &
      OwnOnly & {
        /** Only those with a time that is due by then, or that waits. */
        readonly dueBefore?: string;
        /** Only those that will do something. */
        readonly active?: true;
        /** Only those of one worker, where several share a store. */
        readonly ofWorker?: WorkerId;
      },
  ): Page<StoredSchedule>;
  scheduleRuns(
    input: PageRequest & {
      readonly scheduleId: ScheduleId;
      /** Only those whose work has not ended. */
      readonly open?: true;
      /** Only those of later times. */
      readonly ticksAfter?: string;
    },
  ): Page<ScheduleRun>;
  pipeline(input: { readonly id: PipelineId }): StoredPipeline | null;
  pipelines(
    input: PageRequest &
      IdPart &
      OwnOnly & {
        /** Only those that have not ended. */
        readonly open?: true;
        /** Only those of one worker, where several share a store. */
        readonly ofWorker?: WorkerId;
      },
  ): Page<StoredPipeline>;
  /** What became of its phases so far, as far as they have begun. */
  pipelinePhases(input: { readonly id: PipelineId }): readonly StoredPhase[];
  workers(input: Record<string, never>): readonly StoredWorker[];
  /** How much waits for somebody, of all workers. */
  standing(input: Record<string, never>): Standing;
  /** Whose the thread is, if another worker works on it. */
  foreignWorker(input: { readonly threadId: ThreadId }): StoredWorker | null;
}

/** Of what several workers share. */
export interface OwnOnly {
  /** Only what this worker works on. */
  readonly own?: true;
}

/** Who gave work, since when. */
export interface Giver {
  readonly actor: string;
  readonly since: string;
}

/** Only what has an id that begins so, or ends so. */
export interface IdPart {
  readonly idPrefix?: string;
  readonly idSuffix?: string;
}

/** A label of this name, with this value where one is given. */
export interface LabelFilter {
  readonly key: string;
  readonly value?: string;
}

/** Which threads; every field that is given must hold. */
export interface ThreadFilter extends IdPart, OwnOnly {
  /** Of a thread that is not archived; large and small letters are the same. */
  readonly name?: string;
  readonly runtime?: string;
  /** Where the work was asked for: this folder, or one below it. */
  readonly workspace?: string;
  /** The state of the newest dispatch. */
  readonly state?: DispatchState;
  /** How the newest dispatch ended. */
  readonly result?: Outcome['result'];
  /** Any of its dispatches has all of these. */
  readonly labels?: readonly LabelFilter[];
  /** Words that one of its items has, or its title and name; of very many places only the newest are looked at. */
  readonly search?: string;
  /** All of them unless said. */
  readonly archived?: boolean;
  /** All of its work has ended, and nothing has happened in it since; an idle agent may live. */
  readonly quietSince?: string;
  readonly hasWorktree?: true;
  readonly inTerminal?: true;
}

export interface SearchHit {
  readonly threadId: ThreadId;
  readonly seq: number;
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
