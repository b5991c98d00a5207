import { ExitCode } from '../../protocol/exit-code.js';
import type { Outcome } from '../../protocol/outcome.js';

const firstDelayMs = 1000;
const longestDelayMs = 60_000;
// What waited for the same limit does not come back in the same second.
const longestLimitJitterMs = 5_000;
const firstBlindWaitMs = 60_000;
const longestBlindWaitMs = 30 * 60_000;
const mostBlindWaits = 8;
// Work that takes its machine down each time is not to take down all of them.
const mostLosses = 3;

export type Start = 'resume' | 'fresh';

/** What follows the end of a try. */
export type Step =
  | { readonly do: 'end'; readonly outcome: Outcome }
  | { readonly do: 'retry'; readonly delayMs: number; readonly how: Start }
  /** A usage limit was reached: it goes on so long after the limit's end, or after now where that is not known. */
  | { readonly do: 'defer'; readonly until?: string; readonly delayMs: number };

interface Tries {
  /** Every ended try, oldest first; the last one has just ended. */
  readonly outcomes: readonly Outcome[];
  /** How each of them began. */
  readonly hows: readonly Start[];
  /** How many more tries than one are allowed. */
  readonly retries: number;
  /** From 0 to 1, for the jitter. */
  readonly random: number;
}

/** Another try, or the end; a failure that came back after a fresh start is given to a person instead. */
export function afterAttempt({ outcomes, hows, retries, random }: Tries): Step {
  const last = outcomes.at(-1);
  if (!last) throw new RangeError('No try has ended.');
  // Whether it may spend more is asked before the next try begins.
  if (last.reason === 'max_budget') return { do: 'retry', delayMs: 0, how: 'resume' };
  if (last.result !== 'failed' || !last.retriable) return { do: 'end', outcome: last };
  if (isLimited(last)) return afterLimit(outcomes, random);
  if (isLoss(last)) return afterLoss(outcomes, last);
  // Tries that ended with a question have not failed, and a usage limit is nobody's failure.
  const failures = outcomes.filter(
    (outcome) => outcome.result === 'failed' && !isLimited(outcome) && !isLoss(outcome),
  );
  const repeats = failures.slice(0, -1).some((earlier) => isSameFailure(earlier, last));
  if (repeats && hows[outcomes.length - 1] === 'fresh' && isOurs(last)) {
    return {
      do: 'end',
      outcome: { ...last, result: 'blocked', exitCode: ExitCode.blocked, retriable: false },
    };
  }
  if (failures.length > retries) return { do: 'end', outcome: last };
  return { do: 'retry', delayMs: delayOf(failures.length - 1, random), how: startAfter(last, repeats) };
}

/** How each try began that followed those outcomes, and the first one: one more than there are outcomes. */
export function beginnings({ outcomes, retries }: Pick<Tries, 'outcomes' | 'retries'>): Start[] {
  return outcomes.reduce<Start[]>(
    (hows, _, index) => {
      const step = afterAttempt({ outcomes: outcomes.slice(0, index + 1), hows, retries, random: 0 });
      return [...hows, step.do === 'retry' ? step.how : 'resume'];
    },
    ['resume'],
  );
}

/** Whether a usage limit ended a try. */
export function isLimited({ reason, exitCode }: Outcome): boolean {
  return reason === 'rate_limit' && exitCode === ExitCode.tempFail;
}

/** How often work was tried; a usage limit that came in between is no try of it. */
export function triesOf(attempts: readonly { readonly outcome?: Outcome | undefined }[]): number {
  return attempts.filter(({ outcome }) => outcome === undefined || !isLimited(outcome)).length;
}

/** Whether a try ended because its worker was gone or cut off, which says nothing about the work. */
export function isLoss({ reason, result }: Outcome): boolean {
  return result === 'failed' && (reason === 'worker_lost' || reason === 'cut_off');
}

/** Begins again at once; not for ever, because the work may be what takes its workers down. */
function afterLoss(outcomes: readonly Outcome[], last: Outcome): Step {
  if (outcomes.filter(isLoss).length > mostLosses) return { do: 'end', outcome: last };
  return { do: 'retry', delayMs: 0, how: last.reason === 'worker_lost' ? 'fresh' : 'resume' };
}

/** Known limits are waited for; unknown ones for longer and longer, and not for ever. */
function afterLimit(outcomes: readonly Outcome[], random: number): Step {
  const last = outcomes.at(-1);
  const until = last?.retryAt;
  if (until !== undefined) return { do: 'defer', until, delayMs: Math.round(random * longestLimitJitterMs) };
  const blind =
    outcomes.length - 1 - outcomes.findLastIndex((each) => !isLimited(each) || each.retryAt !== undefined);
  if (last && blind > mostBlindWaits) return { do: 'end', outcome: last };
  const delay = firstBlindWaitMs * 2 ** (blind - 1) * (0.75 + random / 2);
  return { do: 'defer', delayMs: Math.min(longestBlindWaitMs, Math.round(delay)) };
}

/** A resumed session helps with most failures; what it cannot get over is a session that is broken itself. */
const brokenSession = new Set<unknown>(['invalid_request', 'broken_session']);

/** What is tried in the same session once, and without it after that. */
const freshWhenRepeated = new Set<unknown>(['worker-failed', 'crashed', 'oom']);

function startAfter({ reason }: Outcome, repeats: boolean): Start {
  return brokenSession.has(reason) || (repeats && freshWhenRepeated.has(reason)) ? 'fresh' : 'resume';
}

function isSameFailure(a: Outcome, b: Outcome): boolean {
  return a.execution.kind === b.execution.kind && a.reason === b.reason;
}

/** A service that is down says nothing about the work; only what the work or its agent did can break the circuit. */
function isOurs({ exitCode }: Outcome): boolean {
  return exitCode === ExitCode.failure;
}

/** Doubles from one second, a quarter more or less, so that what failed together does not come back together. */
function delayOf(earlier: number, random: number): number {
  const delay = firstDelayMs * 2 ** earlier * (0.75 + random / 2);
  return Math.min(longestDelayMs, Math.round(delay));
}
