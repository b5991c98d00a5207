import type {
  AcceptedAnswer,
  HeldAnswer,
  PromptPatch,
  PromptSettlement,
} from '../domain/prompts/prompt-change.js';
import type { ThreadGrant } from '../domain/prompts/thread-grant.js';
import type { NewPrompt, ThreadPrompt } from '../domain/prompts/thread-prompt.js';
import type { RunFacts } from '../domain/run/run-facts.js';
import type { Allowance, Budget } from '../protocol/budget.js';
import type { WorkOrigin } from '../protocol/changes.js';
import type { DispatchState } from '../protocol/dispatch.js';
import type { DispatchId, PromptId, RuleId, RunId, ScheduleId, ThreadId, WorkerId } from '../protocol/id.js';
import type { Outcome } from '../protocol/outcome.js';
import type { RuntimeName } from '../protocol/posture.js';
import type { PromptActor } from '../protocol/prompt.js';
import type { ResourceUse } from '../protocol/resource-use.js';
import type { ReviewComment } from '../protocol/review-comment.js';
import type { Rule, RuleState } from '../protocol/rule.js';
import type { AgentExit, ProcessIdentity } from '../protocol/run.js';
import type { AgentStatus, StatusReport } from '../protocol/status.js';
import type { ThreadSnooze, Usage } from '../protocol/thread.js';
import type { Workspace } from '../protocol/workspace.js';
import type { Lease } from './lease.js';
import type { NewOutboxEntry, OutboxEntry } from './outbox-entry.js';
import type { NewDispatch, StoredDispatch } from './stored-dispatch.js';
import type { NewEvent } from './stored-event.js';
import type { StoredLanding } from './stored-landing.js';
import type { StoredPhase, StoredPipeline } from './stored-pipeline.js';
import type { Amendment, KillIntent, NewRun } from './stored-run.js';
import type { NewScheduleRun, StoredSchedule } from './stored-schedule.js';
import type { NewThread, StoredTerminal } from './stored-thread.js';
import type { StoredWorker, WorkerProfile } from './stored-worker.js';

/** The place of each appended event, in the order given; `repeated` of them were there already. */
export interface Appended {
  readonly seqs: readonly number[];
  readonly repeated: number;
}

/** How many rows an operation touched. */
export interface Changed {
  readonly changed: number;
}

/**
 * Everything that can be done to state: what each operation takes and what comes back.
 * An operation whose row is missing, or whose condition does not hold, refuses the unit it is in.
 * Times are ISO strings with milliseconds, so that they compare as text in every database.
 */
export interface OperationTable {
  /** Refuses with the thread that already has its name. It is this worker's, or the one's that is named. */
  insertThread(input: { readonly thread: NewThread; readonly worker?: WorkerId }): Changed;
  patchThread(input: { readonly threadId: ThreadId; readonly patch: ThreadPatch }): Changed;
  /**
   * Gives a thread to a terminal. Refuses while it has one, while work of it is under way, and while another thread is at
   * work in its folder.
   */
  openTerminal(input: { readonly threadId: ThreadId; readonly terminal: StoredTerminal }): Changed;
  /**
   * Archives a thread, or with null takes it back. Refuses while work or a run of it has not ended, and to take back one
   * whose name another thread has by now.
   */
  archiveThread(input: { readonly threadId: ThreadId; readonly at: string | null }): Changed;
  /**
   * Drops the events of an archived thread up to its last one, which are in a file by now. Refuses while work or a run of it
   * has not ended, when it is not archived, when there are later events, and when its events are in a file already.
   */
  dropEvents(input: { readonly threadId: ThreadId; readonly upTo: number; readonly file: string }): Changed;
  /** Removes a thread and everything of it but what it cost; refuses while work or a run of it has not ended. */
  removeThread(input: { readonly threadId: ThreadId }): Changed;
  /** Adds to the timeline and makes it the thread's status. */
  appendStatus(input: {
    readonly threadId: ThreadId;
    readonly report: StatusReport;
    readonly at: string;
  }): Changed;
  /** Counts for the thread and the day, and for the schedule whose work has begun there last. */
  addUsage(input: {
    readonly threadId: ThreadId;
    readonly runtime: RuntimeName;
    readonly at: string;
    readonly usage: Usage;
    /** What the agent was doing; left out where that is not known, or only guessed. */
    readonly status?: AgentStatus['state'];
  }): Changed;
  /** Counts processor time and memory for the thread, the day and the status that they fell in. */
  addResources(input: {
    readonly threadId: ThreadId;
    readonly runtime: RuntimeName;
    readonly at: string;
    readonly status: AgentStatus['state'];
    readonly used: ResourceUse;
  }): Changed;

  /** Numbers events in their thread; one with the run and `runSeq` of a stored event is not stored again. */
  appendEvents(input: {
    readonly threadId: ThreadId;
    readonly runId?: RunId;
    /** Refuses with the thread unless this is its last event: another worker has written to it. */
    readonly ifLastSeq?: number;
    /** Refuses unless exactly this much of the run was ingested, which makes what is folded exactly once too. */
    readonly ifLastRunSeq?: number;
    readonly events: readonly NewEvent[];
  }): Appended;

  /** Keeps what a tool said; of two calls with one id, the later. */
  putToolOutput(input: {
    readonly threadId: ThreadId;
    readonly toolUseId: string;
    readonly text: string;
  }): Changed;

  /** Keeps a landing, or what became of it. */
  putLanding(input: { readonly landing: StoredLanding }): Changed;

  /** Keeps a comment; changes nothing where its id is taken, or where the thread has so many already. */
  addComment(input: { readonly comment: ReviewComment; readonly most: number }): Changed;
  replaceComment(input: { readonly comment: ReviewComment }): Changed;
  removeComment(input: { readonly threadId: ThreadId; readonly id: string }): Changed;

  insertRun(input: { readonly run: NewRun }): Changed;
  patchRun(input: {
    readonly runId: RunId;
    readonly patch: RunPatch;
    readonly if?: { readonly ended: boolean };
  }): Changed;

  /** Refuses with the dispatch that already has its idempotency key, and with a thread that is archived. */
  insertDispatch(input: { readonly dispatch: NewDispatch }): Changed;
  patchDispatch(input: {
    readonly dispatchId: DispatchId;
    readonly patch: DispatchPatch;
    readonly if?: { readonly state: readonly DispatchState[] };
  }): Changed;
  /** Numbers the tries of a dispatch from 1. */
  startAttempt(input: { readonly dispatchId: DispatchId; readonly at: string }): { readonly attempt: number };
  addAttemptRun(input: {
    readonly dispatchId: DispatchId;
    readonly attempt: number;
    readonly runId: RunId;
  }): Changed;
  /** How long the agent has worked in a try, waiting for a person not counted. */
  setActiveTime(input: {
    readonly dispatchId: DispatchId;
    readonly attempt: number;
    readonly activeMs: number;
  }): Changed;
  endAttempt(input: {
    readonly dispatchId: DispatchId;
    readonly attempt: number;
    readonly at: string;
    readonly outcome: Outcome;
  }): Changed;

  /**
   * Takes queued work and makes it running, leased to this worker: highest priority first, then oldest; never
   * before its time, never before an earlier dispatch of its thread has ended, never in a workspace where another
   * thread's run lives. `including` refuses the unit where this piece of work is not among what was taken.
   */
  claimDispatches(input: {
    readonly limit: number;
    readonly now: string;
    readonly until: string;
    readonly including?: DispatchId;
  }): readonly StoredDispatch[];
  /** Takes the lease of what is under way, if it is free, expired, or was this worker's before it restarted. */
  acquireLease(input: {
    readonly dispatchId: DispatchId;
    readonly now: string;
    readonly until: string;
  }): Lease;
  renewLease(input: {
    readonly dispatchId: DispatchId;
    readonly epoch: number;
    readonly until: string;
  }): Lease;
  releaseLease(input: { readonly dispatchId: DispatchId; readonly epoch: number }): Changed;

  openPrompt(input: { readonly prompt: NewPrompt }): Changed;
  patchPrompt(input: { readonly promptId: PromptId; readonly patch: PromptPatch }): Changed;
  /** Only while the prompt is pending and has no answer at all. */
  holdAnswer(input: { readonly promptId: PromptId } & HeldAnswer): ThreadPrompt;
  /** Only while an answer is held back. */
  undoAnswer(input: { readonly promptId: PromptId }): ThreadPrompt;
  /** Only while the prompt is pending and no answer was accepted; a secret answer is accepted without its text. */
  acceptAnswer(input: { readonly promptId: PromptId } & AcceptedAnswer): ThreadPrompt;
  /** Settles an accepted prompt as answered. */
  markDelivered(input: { readonly promptId: PromptId; readonly at: string }): ThreadPrompt;
  /** Only after delivery, once. */
  markConsumed(input: { readonly promptId: PromptId; readonly at: string }): ThreadPrompt;
  /** The agent lost an answer again that it had used. */
  unmarkConsumed(input: { readonly promptId: PromptId }): Changed;
  /** The agent of a withdrawn prompt has heard of it, or nobody is left who could. */
  markTold(input: { readonly promptId: PromptId }): Changed;
  /** The work ended before the agent used the answer; no later work is given it. */
  dropAnswer(input: { readonly promptId: PromptId }): Changed;
  /** Cancels an open prompt, or fails a pending one whose answer cannot be delivered. */
  settlePrompt(input: { readonly promptId: PromptId } & PromptSettlement): ThreadPrompt;

  putOutbox(input: { readonly entry: NewOutboxEntry }): Changed;
  /** Hands out due entries; one that is not finished by `until` becomes due again. */
  claimOutbox(input: {
    readonly limit: number;
    readonly now: string;
    readonly until: string;
    /** Kinds that are to wait. */
    readonly exceptKinds?: readonly string[];
  }): readonly OutboxEntry[];
  finishOutbox(input: { readonly id: string; readonly at: string }): Changed;
  postponeOutbox(input: { readonly id: string; readonly dueAt: string }): Changed;
  /** Forgets entries that were finished before; so many at most. */
  forgetOutbox(input: { readonly doneBefore: string; readonly limit: number }): Changed;

  /** Refuses with the schedule that has its name already. */
  insertSchedule(input: { readonly schedule: StoredSchedule }): Changed;
  /** Refuses unless nothing has changed since it was read, so that each time is decided about once. */
  replaceSchedule(input: {
    readonly schedule: StoredSchedule;
    readonly if: { readonly revision: number };
  }): Changed;
  /** Adds to what all times of a schedule together may spend. */
  raiseScheduleBudget(input: { readonly id: ScheduleId; readonly by: Budget }): Changed;
  /** Removes a schedule and what became of its times; the work that it began stays. */
  removeSchedule(input: { readonly id: ScheduleId }): Changed;
  /** Writes down what became of a time; refuses with the schedule where that is known of this time already. */
  addScheduleRun(input: { readonly run: NewScheduleRun }): Changed;

  insertPipeline(input: { readonly pipeline: StoredPipeline }): Changed;
  /** Refuses unless nothing has changed since it was read, so that each step is decided about once. */
  replacePipeline(input: {
    readonly pipeline: StoredPipeline;
    /** Those that changed with it. */
    readonly phases: readonly StoredPhase[];
    readonly if: { readonly revision: number };
  }): Changed;

  beatWorker(input: { readonly at: string; readonly profile?: WorkerProfile }): Changed & {
    /** Somebody wants this worker to take no new work. */
    readonly isDraining: boolean;
  };
  /** Lets a worker take no new work, since then; with null it takes work again. */
  drainWorker(input: { readonly workerId: WorkerId; readonly at: string | null }): Changed;
  /**
   * Makes a thread of another worker this worker's, with the leases of its work. Refuses where the other one has shown a
   * sign of life since it was seen, unless it drains and no run of the thread lives; and where the thread is not its any more.
   */
  takeOverThread(input: {
    readonly threadId: ThreadId;
    readonly from: Pick<StoredWorker, 'id' | 'epoch' | 'heartbeatAt' | 'drainingSince'>;
  }): Changed;
  /**
   * Makes schedules, pipelines and unsent notifications of another worker this worker's, under the same conditions; refuses
   * where one of them was changed or moved since it was read. What the other one decided before is refused afterwards.
   */
  takeOverDuties(input: {
    readonly from: Pick<StoredWorker, 'id' | 'epoch' | 'heartbeatAt' | 'drainingSince'>;
    readonly schedules?: readonly Pick<StoredSchedule, 'id' | 'revision'>[];
    readonly pipelines?: readonly Pick<StoredPipeline, 'id' | 'revision'>[];
    /** Which notifications, by the kinds of the outbox that this worker can send. */
    readonly outboxKinds?: readonly string[];
  }): Changed;
  /** Refuses with the version of its name that is there already. */
  insertRule(input: { readonly rule: Rule }): Changed;
  /**
   * Switches a version on, which withdraws the other versions of its name that are on; or withdraws it. Refuses unless it is
   * in the state that is named.
   */
  switchRule(input: {
    readonly ruleId: RuleId;
    readonly from: RuleState;
    readonly to: 'on' | 'withdrawn';
    readonly backtest?: Rule['backtest'];
    readonly actor: PromptActor;
    readonly at: string;
  }): Changed;
  /** Counts an answer of a rule; refuses with the rule unless it is on. */
  useRule(input: { readonly ruleId: RuleId; readonly at: string }): Changed;
}

export interface ThreadPatch {
  /** Another name, or none; refuses with the thread that has it already. */
  readonly name?: string | null;
  readonly workspace?: Workspace;
  readonly grants?: readonly ThreadGrant[];
  readonly origin?: WorkOrigin;
  readonly budget?: Budget;
  /** What is known of the terminal that has it, or null when it was taken back. */
  readonly terminal?: StoredTerminal | null;
  readonly session?: { readonly id: string; readonly at: string };
  /** Until when it is put off, or null when that was taken back. */
  readonly snoozed?: ThreadSnooze | null;
}

export interface RunPatch {
  readonly process?: ProcessIdentity;
  readonly sessionId?: string;
  readonly endedAt?: string;
  readonly exit?: AgentExit;
  readonly killIntent?: KillIntent | null;
  readonly facts?: RunFacts;
  readonly amendments?: readonly Amendment[];
}

export interface DispatchPatch {
  readonly text?: string;
  readonly state?: DispatchState;
  readonly title?: string;
  readonly priority?: number;
  readonly notBefore?: string | null;
  readonly why?: string | null;
  /** What queued work waits for; nothing else that needs the same begins before it. */
  readonly waitsFor?: 'quota';
  readonly decision?: PromptId | null;
  readonly allowance?: Allowance;
  readonly outcome?: Outcome;
  readonly endedAt?: string;
}

export type OperationName = keyof OperationTable;

/** One operation as data, named by `do`. */
export type Operation<Name extends OperationName = OperationName> = {
  [Each in Name]: { readonly do: Each } & Parameters<OperationTable[Each]>[0];
}[Name];

/** What comes back from an operation. */
export type ResultOf<Given extends Operation> = ReturnType<OperationTable[Given['do']]>;
