import type { ThreadPrompt } from '../domain/prompts/thread-prompt.js';
import type { DispatchId, ThreadId, WorkerId } from '../protocol/id.js';
import type { Rule } from '../protocol/rule.js';
import type { Operation, ResultOf } from './operation.js';
import type { StoredDispatch } from './stored-dispatch.js';
import type { StoredPipeline } from './stored-pipeline.js';
import type { StoredRun } from './stored-run.js';
import type { StoredSchedule } from './stored-schedule.js';
import type { StoredThread } from './stored-thread.js';

/** Which life of which worker; an older life is refused. */
export interface WorkerIdentity {
  readonly id: WorkerId;
  readonly epoch: number;
}

/** What is done together or not at all; data, because another thread or machine runs it. */
export interface Unit<Operations extends readonly Operation[] = readonly Operation[]> {
  readonly operations: Operations;
  /** Refuses the unit when this lease is no longer the current one. */
  readonly lease?: { readonly dispatchId: DispatchId; readonly epoch: number };
  /** Refuses the unit when this thread is another worker's by now; where the store is shared. */
  readonly own?: ThreadId;
  /** In whose name; the one who opened the store, unless said otherwise. */
  readonly worker?: WorkerIdentity;
}

/** The row that stood against a unit, as it stands. */
export type Obstacle =
  | { readonly thread: StoredThread }
  | { readonly run: StoredRun }
  | { readonly dispatch: StoredDispatch }
  | { readonly prompt: ThreadPrompt }
  | { readonly schedule: StoredSchedule }
  | { readonly pipeline: StoredPipeline }
  | { readonly rule: Rule };

/**
 * Why a unit was refused as a whole: its worker was superseded, its lease is lost, its thread
 * is another worker's, or operation number `operation`
 * found no row (`missing`), a row that does not meet its condition, or one that it may not stand beside (`conflict`).
 */
export type Refusal =
  | { readonly because: 'superseded'; readonly epoch: number }
  | { readonly because: 'lease_lost'; readonly current: StoredDispatch | null }
  | { readonly because: 'foreign'; readonly threadId: ThreadId }
  | { readonly because: 'missing'; readonly operation: number }
  | { readonly because: 'condition'; readonly operation: number; readonly current: Obstacle }
  | { readonly because: 'conflict'; readonly operation: number; readonly detail: string };

/** What became of a unit: every operation's result in its place, or the refusal of all. */
export type CommitResult<Operations extends readonly Operation[] = readonly Operation[]> =
  | {
      readonly committed: true;
      readonly results: { readonly [Index in keyof Operations]: ResultOf<Operations[Index]> };
    }
  | { readonly committed: false; readonly refusal: Refusal };
