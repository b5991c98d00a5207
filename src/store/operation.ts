import type { RunFacts } from '../domain/run-facts.js';
import type { DispatchState } from '../protocol/dispatch.js';
import type { DispatchId, PromptId, RunId, ThreadId } from '../protocol/id.js';
import type { Outcome } from '../protocol/outcome.js';
import type { RuntimeName } from '../protocol/posture.js';
import type { Answer, PromptActor, QuestionAnswer } from '../protocol/prompt.js';
import type { AgentExit, ProcessIdentity } from '../protocol/run.js';
import type { StatusReport } from '../protocol/status.js';
import type { Usage } from '../protocol/thread.js';
import type { Workspace } from '../protocol/workspace.js';
import type { Lease } from './lease.js';
import type { NewOutboxEntry, OutboxEntry } from './outbox-entry.js';
import type { NewDispatch, StoredDispatch } from './stored-dispatch.js';
import type { NewEvent } from './stored-event.js';
import type { NewPrompt, StoredPrompt } from './stored-prompt.js';
import type { Amendment, KillIntent, NewRun } from './stored-run.js';
import type { NewThread } from './stored-thread.js';

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
  insertThread(input: { readonly thread: NewThread }): Changed;
  patchThread(input: { readonly threadId: ThreadId; readonly patch: ThreadPatch }): Changed;
  /** Adds to the timeline and makes it the thread's status. */
  appendStatus(input: {
    readonly threadId: ThreadId;
    readonly report: StatusReport;
    readonly at: string;
  }): Changed;
  addUsage(input: {
    readonly threadId: ThreadId;
    readonly runtime: RuntimeName;
    readonly at: string;
    readonly usage: Usage;
  }): Changed;

  /** Numbers events in their thread; one with the run and `runSeq` of a stored event is not stored again. */
  appendEvents(input: {
    readonly threadId: ThreadId;
    readonly runId?: RunId;
    /** Refuses unless exactly this much of the run was ingested, which makes what is folded exactly once too. */
    readonly ifLastRunSeq?: number;
    readonly events: readonly NewEvent[];
  }): Appended;

  insertRun(input: { readonly run: NewRun }): Changed;
  patchRun(input: {
    readonly runId: RunId;
    readonly patch: RunPatch;
    readonly if?: { readonly ended: boolean };
  }): Changed;

  /** Refuses with the dispatch that already has its idempotency key. */
  insertDispatch(input: { readonly dispatch: NewDispatch }): Changed;
  patchDispatch(input: {
    readonly dispatchId: DispatchId;
    readonly patch: DispatchPatch;
    readonly if?: { readonly state: readonly DispatchState[] };
  }): Changed;
  startAttempt(input: { readonly dispatchId: DispatchId; readonly at: string }): { readonly attempt: number };
  addAttemptRun(input: {
    readonly dispatchId: DispatchId;
    readonly attempt: number;
    readonly runId: RunId;
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
   * thread's run lives.
   */
  claimDispatches(input: {
    readonly limit: number;
    readonly now: string;
    readonly until: string;
  }): readonly StoredDispatch[];
  /** Takes a lease that is free, expired, or was this worker's before it restarted. */
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
  /** Only while the prompt is pending and no answer was accepted; a secret answer is accepted without its text. */
  acceptAnswer(input: {
    readonly promptId: PromptId;
    readonly actor: PromptActor;
    readonly at: string;
    readonly answers?: readonly QuestionAnswer[];
    readonly answer?: Answer;
  }): StoredPrompt;
  /** Settles an accepted prompt as answered. */
  markDelivered(input: { readonly promptId: PromptId; readonly at: string }): StoredPrompt;
  /** Only after delivery, once. */
  markConsumed(input: { readonly promptId: PromptId; readonly at: string }): StoredPrompt;
  /** The agent lost an answer again that it had used. */
  unmarkConsumed(input: { readonly promptId: PromptId }): Changed;
  /** Cancels an open prompt, or fails a pending one whose answer cannot be delivered. */
  settlePrompt(input: {
    readonly promptId: PromptId;
    readonly state: 'cancelled' | 'failed';
    readonly reason: string;
    readonly actor?: PromptActor;
  }): StoredPrompt;

  putOutbox(input: { readonly entry: NewOutboxEntry }): Changed;
  /** Hands out due entries; one that is not finished by `until` becomes due again. */
  claimOutbox(input: {
    readonly limit: number;
    readonly now: string;
    readonly until: string;
  }): readonly OutboxEntry[];
  finishOutbox(input: { readonly id: string; readonly at: string }): Changed;
  postponeOutbox(input: { readonly id: string; readonly dueAt: string }): Changed;

  beatWorker(input: { readonly at: string }): Changed;
}

export interface ThreadPatch {
  readonly title?: string;
  readonly workspace?: Workspace;
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
  readonly state?: DispatchState;
  readonly title?: string;
  readonly priority?: number;
  readonly notBefore?: string | null;
  readonly why?: string | null;
  readonly outcome?: Outcome;
  readonly endedAt?: string;
}

export interface PromptPatch {
  readonly active?: boolean;
  readonly runId?: RunId;
  readonly requestId?: string;
  readonly toolUseId?: string;
  readonly deadline?: string | null;
}

export type OperationName = keyof OperationTable;

/** One operation as data, named by `do`. */
export type Operation<Name extends OperationName = OperationName> = {
  [Each in Name]: { readonly do: Each } & Parameters<OperationTable[Each]>[0];
}[Name];

/** What comes back from an operation. */
export type ResultOf<Given extends Operation> = ReturnType<OperationTable[Given['do']]>;
