import type * as z from 'zod';
import { cutText } from '../../protocol/cut-text.js';
import { type ClaimedExitCode, ExitCode, type ExitCodeName } from '../../protocol/exit-code.js';
import { exitCodeOf, type Failure, type FailureCode, failureTable } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { Claim, Execution, Outcome, Verification } from '../../protocol/outcome.js';
import type { AgentExit } from '../../protocol/run.js';
import type { TurnErrorKind, turnResultShape } from '../../protocol/turn-result.js';
import { isCleanExit } from '../words/exit-words.js';

const summaryLimit = 2000;

/** How a try ended, on three axes, before anything is made of it. */
export interface Ending {
  readonly execution: Execution;
  readonly claim: Claim;
  readonly verification: Verification;
  readonly errorKind?: TurnErrorKind;
  /** What a command says with its exit code, where that is read. */
  readonly claimedExitCode?: ClaimedExitCode;
  /** Why its agent could not be started at all; the next try would be refused as well. */
  readonly refusal?: FailureCode;
  /** When the limit that ended it is over. */
  readonly retryAt?: string;
  /** Overrules the reason that follows from the axes; for machines. */
  readonly reason?: string;
  readonly summary?: string;
  /** The end of what a command printed that failed. */
  readonly output?: string;
  readonly costUsd?: number;
  /** Tools without which the work could not be done, and which were denied. */
  readonly deniedTools?: readonly string[];
}

/** The fields of a `result` event. */
export type TurnResult = z.infer<z.ZodObject<typeof turnResultShape>>;

interface Verdict {
  readonly result: Outcome['result'];
  readonly exit: ExitCodeName;
  readonly reason?: string;
  readonly retriable: boolean;
}

const succeeded: Verdict = { result: 'succeeded', exit: 'success', retriable: false };
const cancelled: Verdict = {
  result: 'cancelled',
  exit: 'interrupted',
  reason: 'cancelled',
  retriable: false,
};
const failed = (reason: string): Verdict => ({ result: 'failed', exit: 'failure', reason, retriable: true });
const blocked = (reason: string): Verdict => ({
  result: 'blocked',
  exit: 'blocked',
  reason,
  retriable: false,
});
const later = (reason: string, exit: 'unavailable' | 'tempFail'): Verdict => ({
  result: 'failed',
  exit,
  reason,
  retriable: true,
});

/** What each kind of failed turn means to whoever waits for the work. */
const verdictOfKind: Record<TurnErrorKind, Verdict> = {
  auth: { result: 'failed', exit: 'noPermission', reason: 'auth', retriable: false },
  rate_limit: later('rate_limit', 'tempFail'),
  overloaded: later('overloaded', 'tempFail'),
  billing: later('billing', 'tempFail'),
  server: later('server', 'unavailable'),
  network: later('network', 'unavailable'),
  // A session that the model's server refuses may be broken, and a fresh one mends that.
  invalid_request: failed('invalid_request'),
  max_turns: failed('max_turns'),
  // Another try would only spend the same again; a person decides whether it may.
  max_budget: blocked('max_budget'),
  structured_output: failed('structured_output'),
  interrupted: cancelled,
  other: failed('error'),
};

const refused = (reason: string, exit: ExitCodeName): Verdict => ({
  result: 'failed',
  exit,
  reason,
  retriable: false,
});

/** What each code means with which a command says more than that it failed. */
const verdictOfCode: Record<ClaimedExitCode, Verdict> = {
  2: blocked('blocked_claimed'),
  64: refused('usage', 'usage'),
  65: refused('data_error', 'dataError'),
  66: refused('no_input', 'noInput'),
  69: later('unavailable', 'unavailable'),
  75: later('temp_fail', 'tempFail'),
  77: refused('no_permission', 'noPermission'),
  78: refused('config', 'config'),
};

/** Folds the three axes into one result and one exit code. */
export function outcomeOf(ending: Ending): Outcome {
  const { execution, claim, verification, costUsd } = ending;
  const { result, exit, retriable, ...verdict } = verdictOf(ending);
  const reason = ending.reason ?? verdict.reason;
  return {
    result,
    exitCode: ExitCode[exit],
    ...given({ reason }),
    retriable,
    execution,
    claim,
    verification,
    ...(ending.summary === undefined ? {} : { summary: cutText(ending.summary, summaryLimit) }),
    ...(ending.output === undefined ? {} : { output: ending.output.slice(-summaryLimit) }),
    ...given({ costUsd, retryAt: ending.retryAt }),
  };
}

/** Words before deeds: the question left behind, the parsed result and the check decide, the exit code comes last. */
function verdictOf(ending: Ending): Verdict {
  const { execution, claim, verification, errorKind, deniedTools, claimedExitCode, refusal } = ending;
  if (execution.kind === 'cancelled') return cancelled;
  if (refusal !== undefined) return refused(refusal, failureTable[refusal].exit);
  if (claim === 'needs_input') return blocked('needs_input');
  if (deniedTools && deniedTools.length > 0) return blocked('denied');
  if (execution.kind === 'timedOut') return failed('timeout');
  if (claimedExitCode !== undefined) return verdictOfCode[claimedExitCode];
  if (execution.kind === 'error') return verdictOfKind[errorKind ?? 'other'];
  if (verification === 'failed') return failed('verification_failed');
  if (claim === 'success') return succeeded;
  if (execution.kind === 'oomKilled') return failed('oom');
  if (execution.kind === 'crashed') return failed('crashed');
  if (claim === 'failure') return failed('failure_claimed');
  return verification === 'passed' ? succeeded : failed('no_result');
}

/** What the last turn of a dispatch says: how it was executed and what the agent claims. */
export function endingOfTurn(result: TurnResult & { readonly deniedBefore?: string | undefined }): Ending {
  const summary = result.text ?? result.errors?.join('\n');
  const rest = {
    verification: 'not_run',
    ...(summary ? { summary } : {}),
    ...(result.cost === null ? {} : { costUsd: result.cost }),
  } as const;
  const errorKind = errorKindOf(result);
  const deniedTools = requiredDenials(result, errorKind);
  if (deniedTools.length > 0)
    return { execution: { kind: 'completed' }, claim: 'failure', deniedTools, ...rest };
  if (errorKind === null) return { execution: { kind: 'completed' }, claim: 'success', ...rest };
  if (errorKind === 'interrupted') return { ...cancelledEnding, ...rest };
  const { retryAt, claimedExitCode, output } = result;
  return {
    execution: { kind: 'error', error: errorKind },
    claim: 'failure',
    errorKind,
    ...given({ retryAt, claimedExitCode, output }),
    ...rest,
  };
}

/** How a try ended whose agent's process ended before the work did; `why` is a sentence. */
export function endingOfExit(exit: AgentExit, why: string): Ending {
  return { execution: executionOfExit(exit), claim: 'none', verification: 'not_run', summary: why };
}

/** A try that a person or a program called off. */
export const cancelledEnding: Ending = {
  execution: { kind: 'cancelled' },
  claim: 'none',
  verification: 'not_run',
};

/** A try that took longer than it was given. */
export const timedOutEnding: Ending = {
  execution: { kind: 'timedOut' },
  claim: 'none',
  verification: 'not_run',
};

/** A try whose agent was stopped because its worker did not renew its lease in time; it can go on in its session. */
export const cutOffEnding: Ending = {
  execution: { kind: 'crashed', exitCode: null },
  claim: 'none',
  verification: 'not_run',
  reason: 'cut_off',
  summary: 'The worker could not reach the database in time, so the agent was stopped.',
};

/** A try whose worker is gone, with the session of its agent. */
export function lostWorkerEnding(worker: string): Ending {
  return { ...cutOffEnding, reason: 'worker_lost', summary: `${worker} did not answer any more.` };
}

/** A try whose agent asks, where nobody is to be asked. */
export const askingEnding: Ending = {
  execution: { kind: 'completed' },
  claim: 'needs_input',
  verification: 'not_run',
};

/** A try whose agent asked, and got no answer. */
export const unansweredEnding: Ending = { ...askingEnding, reason: 'unanswered' };

/** A try whose agent left a question that cannot be read; `why` is a sentence. */
export function workerFailedEnding(why: string): Ending {
  return {
    execution: { kind: 'error', error: 'worker-failed' },
    claim: 'none',
    verification: 'not_run',
    reason: 'worker-failed',
    summary: why,
  };
}

function executionOfExit(exit: AgentExit): Execution {
  if (exit.oom) return { kind: 'oomKilled' };
  if (isCleanExit(exit)) return { kind: 'completed' };
  return {
    kind: 'crashed',
    exitCode: exit.exitCode,
    ...(exit.signal === null ? {} : { signal: exit.signal }),
  };
}

/** Why a turn failed, or null; a runtime that speaks of success and of errors at once has failed. */
function errorKindOf({ success, subtype, errorKind, errors }: TurnResult): TurnErrorKind | null {
  if (errorKind !== undefined) return errorKind;
  const isGood = success && !/^error|deferred/.test(subtype) && (errors ?? []).length === 0;
  return isGood ? null : 'other';
}

/**
 * The denied tools of a turn that could not do without them. No runtime says which tool was required, so:
 * a turn that failed for no better reason than a denial, and a turn in which nothing but denied calls was tried, needed them;
 * a turn that went on with other tools and says that it succeeded found another way.
 */
function requiredDenials(
  result: TurnResult & { readonly deniedBefore?: string | undefined },
  errorKind: TurnErrorKind | null,
): string[] {
  const denials = result.denials ?? [];
  const didOtherwise = result.stats.toolCalls > denials.length;
  const isDecisive = errorKind === 'other' || (errorKind === null && !didOtherwise);
  if (!isDecisive) return [];
  // A denial that a message brought is no call of this turn.
  const { deniedBefore } = result;
  return [...new Set([...denials.map(({ tool }) => tool), ...(deniedBefore ? [deniedBefore] : [])])];
}

/** The outcome of work that could not even begin. */
export function failureOutcome(failure: Failure): Outcome {
  return {
    result: 'failed',
    exitCode: exitCodeOf(failure),
    reason: failure.code,
    // A network that is away comes back.
    retriable: failure.code === 'repository_unreachable',
    execution: { kind: 'error', error: failure.code },
    claim: 'none',
    verification: 'not_run',
    summary: failure.message,
  };
}
