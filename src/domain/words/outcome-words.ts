import { cutText } from '../../protocol/cut-text.js';
import type { Dispatch } from '../../protocol/dispatch.js';
import { type FailureCode, failureTable } from '../../protocol/failure.js';
import type { Claim, Execution, Outcome, Verification } from '../../protocol/outcome.js';
import type { TurnErrorKind } from '../../protocol/turn-result.js';
import { actorWords } from './actor-words.js';
import { plainLine, plainText } from './plain-text.js';

const claims = {
  success: 'the agent reports success',
  failure: 'the agent reports a failure',
  needs_input: 'the agent needs input',
  none: 'no result reported',
} as const satisfies Record<Claim, string>;

const verifications = {
  passed: 'verification passed',
  failed: 'verification failed',
  not_run: 'not verified',
} as const satisfies Record<Verification, string>;

/** Every reason that is a code: those of the outcome itself, of a turn that failed, of our own failures. */
export type ReasonCode =
  | Exclude<TurnErrorKind, 'interrupted' | 'other'>
  | FailureCode
  | 'budget'
  | 'cancelled'
  | 'crashed'
  | 'cut_off'
  | 'denied'
  | 'error'
  | 'failure_claimed'
  | 'blocked_claimed'
  | 'data_error'
  | 'no_input'
  | 'temp_fail'
  | 'needs_input'
  | 'no_result'
  | 'oom'
  | 'timeout'
  | 'unanswered'
  | 'verification_failed'
  | 'worker-failed'
  | 'worker_lost';

const failureTitles = Object.fromEntries(
  Object.entries(failureTable).map(([code, { title }]) => [code, lowered(title)]),
);

/** Why a dispatch did not succeed, as words for each code that has no title of its own. */
const reasons: Readonly<Record<Exclude<ReasonCode, FailureCode>, string>> = {
  auth: 'the agent is not logged in',
  rate_limit: 'the rate limit was reached',
  overloaded: 'the model is overloaded',
  billing: 'the account has no credit left',
  server: "the model's server failed",
  network: "the model's server could not be reached",
  invalid_request: "the model's server refused the request",
  max_turns: 'the turn limit was reached',
  max_budget: 'the budget was used up',
  budget: 'its budget is used up',
  structured_output: 'the result does not match the schema',
  cancelled: 'cancelled',
  crashed: 'the agent crashed',
  cut_off: 'the worker could not renew its lease',
  denied: 'a required action was denied',
  error: 'the agent ended with an error',
  failure_claimed: 'the agent reports a failure',
  blocked_claimed: 'it says that it is blocked',
  data_error: 'it says that its input is wrong',
  no_input: 'it says that a file is missing',
  temp_fail: 'it says that it may work later',
  needs_input: 'the agent needs input',
  no_result: 'no result reported',
  oom: 'out of memory',
  timeout: 'the time limit was reached',
  unanswered: 'a question was not answered',
  verification_failed: 'verification failed',
  'worker-failed': 'the agent left a question that cannot be read',
  worker_lost: 'the worker did not answer any more',
};

/** What a command says with an exit code whose name is that of a failure of ours, too. */
const claimedFailures: Readonly<Partial<Record<FailureCode, string>>> = {
  usage: 'it says that it was called wrongly',
  unavailable: 'it says that a service is down',
  no_permission: 'it says that a login or a permission is missing',
  config: 'it says that its configuration is wrong',
};

const longestDetail = 500;
const longestSaid = 200;

const words: Readonly<Record<string, string>> = { ...failureTitles, ...reasons };

/** The three axes of an outcome, each on its own. */
export function outcomeAxes({ execution, claim, verification }: Outcome): string {
  return [executionWords(execution), claims[claim], verifications[verification]].join(' · ');
}

/** How long a dispatch took, from its first attempt on. */
export function timeTaken(dispatch: Dispatch): number | undefined {
  const [first] = dispatch.attempts;
  if (!first || dispatch.endedAt === undefined) return undefined;
  return Date.parse(dispatch.endedAt) - Date.parse(first.startedAt);
}

/**
 * Why a dispatch did not succeed, in one line; empty where nothing explains it. Where we failed, or the agent's process
 * did, the outcome's own words say what happened; where a turn failed they come after what the code means; everywhere
 * else they are what the agent said about its work, and the code says why.
 */
export function outcomeSentence(
  outcome: Pick<Outcome, 'result' | 'reason' | 'execution' | 'summary'> & { readonly claim?: Claim },
): string {
  const { result, reason, execution } = outcome;
  // The mark before it says so already.
  if (result === 'succeeded' || reason === result) return '';
  const detail = detailOf(outcome);
  const claimed = claimedWords(outcome);
  if (claimed !== undefined) return detail === '' ? claimed : `${claimed}: ${detail}`;
  const isDeath = execution.kind === 'crashed' || execution.kind === 'oomKilled';
  // Nothing else blocks work whose process died.
  if (detail !== '' && isDeath && result === 'blocked') return `${detail} ${sameAgain}`;
  if (detail !== '' && (isDeath || isOurWord(reason))) return detail;
  const why = reason === undefined ? unexplained(execution) : reasonWords(reason);
  return execution.kind === 'error' && detail !== '' ? `${why}: ${detail}` : why;
}

/** Which budget it was, and who did not raise it, is told like our own failures. */
function isOurWord(reason: string | undefined): boolean {
  return reason !== undefined && (reason === 'budget' || Object.hasOwn(failureTable, reason));
}

const sameAgain = 'It was the same after a fresh start, so it is not tried again.';

/** What was printed last, or said; empty where that stands in the sentence about the outcome already. */
export function outputWords(outcome: Outcome | undefined): string {
  const printed = outcome?.verificationOutput ?? outcome?.output;
  const output = plainText(printed ?? outcome?.summary ?? '').trim();
  const sentence = outcome === undefined ? '' : outcomeSentence(outcome).replace(` ${sameAgain}`, '');
  const isTold = outcome !== undefined && printed === undefined && sentence.endsWith(output);
  return isTold ? '' : output;
}

/** What became of work that succeeded, in one line of a list: whether that was checked, and what the agent said last. */
export function saidAtTheEnd({
  result,
  summary = '',
  verification,
}: Pick<Outcome, 'result' | 'summary' | 'verification'>): string | undefined {
  if (result !== 'succeeded') return undefined;
  const [begun = ''] = cutText(summary, longestDetail)
    .trim()
    .split(/\n\s*\n/);
  const said = plainLine(begun.replaceAll(/[*`#]+/g, ''), { maxLength: longestSaid });
  const checked = verification === 'passed' ? ['Verified'] : [];
  return [...checked, ...(said === '' ? [] : [said])].join(' · ') || undefined;
}

/** Where we fail, nothing is claimed. */
function claimedWords({
  reason,
  claim,
}: {
  readonly reason?: string | undefined;
  readonly claim?: Claim;
}): string | undefined {
  if (claim !== 'failure' || reason === undefined) return undefined;
  return new Map(Object.entries(claimedFailures)).get(reason);
}

/** Why, in words, where the reason is a code. */
export function reasonWords(reason: string): string {
  const [, actor] = /^cancelled by (.+)$/.exec(reason) ?? [];
  if (actor !== undefined) return `cancelled by ${actorWords(actor)}`;
  return Object.hasOwn(words, reason) ? (words[reason] ?? '') : plainLine(reason.replaceAll('_', ' '));
}

function unexplained(execution: Execution): string {
  return execution.kind === 'completed' ? '' : executionWords(execution);
}

/** What an outcome tells about its failure; an error is a sentence, or one of the codes that the reason tells already. */
function detailOf({ summary = '', execution }: Pick<Outcome, 'summary' | 'execution'>): string {
  const told = execution.kind === 'error' && execution.error.includes(' ') ? execution.error : summary;
  return plainLine(told, { maxLength: longestDetail });
}

function executionWords(execution: Execution): string {
  switch (execution.kind) {
    case 'crashed':
      return `the agent crashed (${execution.signal ?? (execution.exitCode === null ? 'cause unknown' : `exit code ${execution.exitCode}`)})`;
    case 'error':
      return `the agent ended with an error (${plainLine(execution.error)})`;
    case 'oomKilled':
      return 'the agent ran out of memory';
    case 'timedOut':
      return 'the time limit was reached';
    case 'completed':
      return 'the agent finished';
    case 'cancelled':
      return 'cancelled';
    default:
      return execution satisfies never;
  }
}

function lowered(title: string): string {
  return title.charAt(0).toLowerCase() + title.slice(1);
}
