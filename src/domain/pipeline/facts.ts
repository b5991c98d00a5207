import type { ExitCode } from '../../protocol/exit-code.js';
import type { PhaseResult } from '../../protocol/pipeline.js';

/** How the work of an instance stands. */
export type PhaseFact =
  /** Work was given; it has an outcome once it has ended. */
  | { readonly state: 'running'; readonly ended?: WorkEnd }
  /** A person was asked; `said` once the question is settled, null where it was closed without an answer. */
  | {
      readonly state: 'asking';
      readonly about: 'approval' | 'failure';
      readonly end?: WorkEnd;
      readonly said?: string | null;
    }
  | EndedPhase;

export interface EndedPhase {
  readonly state: 'ended';
  readonly result: PhaseResult;
  readonly exitCode: ExitCode;
  readonly outputs: Readonly<Record<string, string>>;
  readonly endedAt: string;
  /** It stopped everything else: a person said so. */
  readonly stops: boolean;
}

/** How work ended. */
export interface WorkEnd {
  readonly result: 'succeeded' | 'failed' | 'blocked' | 'cancelled';
  readonly exitCode: ExitCode;
}

/** Everything that is known of a run of a pipeline. */
export interface PipelineFacts {
  readonly inputs: Readonly<Record<string, string>>;
  /** Nobody is there to be asked. */
  readonly noInput: boolean;
  readonly isCancelled: boolean;
  /** By the keys of the instances; what has not begun is not there. */
  readonly phases: ReadonlyMap<string, PhaseFact>;
}

/** One thing to be done; `key` names an instance. */
export type PipelineMove =
  | { readonly do: 'start'; readonly key: string }
  /** Is to begin once more, because a person said so. */
  | { readonly do: 'again'; readonly key: string }
  /** Asks a person to approve. */
  | { readonly do: 'ask'; readonly key: string }
  /** Asks a person what becomes of a phase that failed. */
  | { readonly do: 'escalate'; readonly key: string; readonly end: WorkEnd }
  /** Ends work that is under way; that it has ended is seen later. */
  | { readonly do: 'cancel'; readonly key: string }
  | {
      readonly do: 'settle';
      readonly key: string;
      readonly result: PhaseResult;
      readonly exitCode: ExitCode;
      readonly why?: string;
      readonly stops?: true;
    }
  | { readonly do: 'end'; readonly result: 'success' | 'failure' | 'cancelled'; readonly exitCode: ExitCode };

/** The answers to the questions of a pipeline. */
export const approve = 'Approve';
export const reject = 'Reject';
export const retryPhase = 'Retry';
export const skipPhase = 'Skip';
export const abortPipeline = 'Abort';
