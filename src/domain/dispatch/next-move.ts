import { given } from '../../protocol/given.js';
import { isEnding, isSettled, notBegun, type RunFacts } from '../run/run-facts.js';
import { unheard } from '../run/run-work.js';
import type { DispatchProgress } from './dispatch-progress.js';
import {
  cutOffEnding,
  type Ending,
  endingOfExit,
  endingOfTurn,
  unansweredEnding,
  workerFailedEnding,
} from './outcome.js';

/** The one next thing to do for a dispatch. */
export type Move =
  | { readonly do: 'wait' }
  | { readonly do: 'begin_attempt' }
  /** No agent lives: start one. */
  | { readonly do: 'launch' }
  /** Give the work to the agent that lives. */
  | { readonly do: 'send' }
  /** Give the answers that a dead run never got to the agent that lives. */
  | { readonly do: 'carry_answers' }
  /** Give it what was said to an earlier run that did not live to hear it. */
  | { readonly do: 'send_unsent' }
  /** The agent asks. One that has stopped with its question in a file has ended its try. */
  | { readonly do: 'await_person'; readonly endsAttempt: boolean }
  | { readonly do: 'go_on' }
  /** Somebody asks, and nobody is to be asked. */
  | { readonly do: 'refuse_question' }
  | { readonly do: 'conclude'; readonly ending: Ending };

const wait: Move = { do: 'wait' };

/**
 * A dispatch walks: attempt begun → agent launched, or found idle → work sent → settled → concluded.
 * Every step is decided anew from what is committed, so a worker that died anywhere goes on at the same place.
 */
export function nextMove(progress: DispatchProgress): Move {
  const { attempt, run, state } = progress;
  if (progress.prompts.some(({ isOpen }) => isOpen)) {
    if (progress.noInput) return { do: 'refuse_question' };
    const facts = run?.facts ?? progress.end?.facts;
    const endsAttempt = attempt !== null && facts?.leftFile.state === 'question';
    return state === 'waiting' && !endsAttempt ? wait : { do: 'await_person', endsAttempt };
  }
  if (!attempt) {
    // Nobody answered, and nothing is to be told: the work cannot go on.
    const isUnanswered = progress.endedAsking && progress.prompts.length === 0;
    return isUnanswered ? { do: 'conclude', ending: unansweredEnding } : { do: 'begin_attempt' };
  }
  const mustCarry = progress.prompts.some(({ needsMessage }) => needsMessage);
  if (attempt.runIds.length === 0 && !mustCarry) {
    if (!run) return { do: 'launch' };
    // What an earlier dispatch left unfinished is being interrupted, or its process ends.
    return run.isReady && isSettled(run.facts) ? { do: 'send' } : wait;
  }
  if (!run) {
    const goesOn = mustCarry || wasLetGoTooEarly(progress);
    return goesOn ? { do: 'launch' } : { do: 'conclude', ending: endingOfDeadRun(progress) };
  }
  // What is said to a runner that is ending is said to nobody; the call that was let go hears it when it is taken up.
  if (mustCarry) return isEnding(run.facts) ? wait : { do: 'carry_answers' };
  if (state === 'waiting') return { do: 'go_on' };
  // The agent has the answer, or is about to get it.
  if (progress.prompts.length > 0) return wait;
  if (run.facts.unsent.length > 0) return run.isReady ? { do: 'send_unsent' } : wait;
  if (!isSettled(run.facts)) return wait;
  const ending = endingOfFacts(run.facts);
  return ending ? { do: 'conclude', ending } : wait;
}

/** Whether something was said that the agent had not begun with when its process was let go, or ended as it should. */
function wasLetGoTooEarly({ end }: DispatchProgress): boolean {
  if (!end) return false;
  const { facts, exit } = end;
  if (facts.waitingCall.state === 'parked') return unheard(facts).length > 0;
  return facts.isOver && exit.exitCode === 0 && facts.unsent.length > 0;
}

function endingOfDeadRun({ end }: DispatchProgress): Ending {
  if (!end) return endingOfExit({ exitCode: null, signal: null, oom: false }, 'The run was never seen.');
  const { facts, exit, intent } = end;
  // The question was withdrawn while its agent was away, so there is nothing to wake it with.
  if (facts.waitingCall.state === 'parked') return withCost(facts, unansweredEnding);
  const isOver = isSettled({ ...facts, sent: notBegun(facts) });
  const settled = isOver ? endingOfFacts(facts) : null;
  if (settled) return settled;
  if (intent !== undefined)
    return { execution: { kind: 'cancelled' }, claim: 'none', verification: 'not_run', reason: intent };
  const left = endingOfLeftFile(facts);
  if (left) return left;
  if (facts.isCutOff) return withCost(facts, cutOffEnding);
  if (facts.lastError?.isLogin || facts.lastError?.refusal)
    return withCost(facts, errorEnding(facts.lastError));
  return withCost(facts, endingOfExit(exit, facts.lastError?.message ?? "The agent's process died."));
}

function endingOfFacts(facts: RunFacts): Ending | null {
  const { lastTurn, lastError } = facts;
  const left = endingOfLeftFile(facts);
  if (left) return left;
  if (lastTurn) {
    const ending = withCost(facts, endingOfTurn({ ...lastTurn, usage: null }));
    // What to do about a missing login stands in the error, and in the turn only what the model's server said.
    const isLogin = ending.errorKind === 'auth' && lastError?.isLogin === true;
    return isLogin ? { ...ending, summary: lastError.message } : ending;
  }
  if (!lastError) return null;
  return errorEnding(lastError);
}

/** A question in a file decides whatever else is known of the turn; that it is still open was looked at before. */
function endingOfLeftFile(facts: RunFacts): Ending | null {
  const { leftFile } = facts;
  switch (leftFile.state) {
    case 'none':
      return null;
    case 'question':
      return withCost(facts, unansweredEnding);
    case 'unreadable':
      return withCost(facts, workerFailedEnding(leftFile.error));
    default:
      return leftFile satisfies never;
  }
}

function errorEnding({ message, isLogin, refusal }: NonNullable<RunFacts['lastError']>): Ending {
  return {
    execution: { kind: 'error', error: refusal ?? (isLogin ? 'auth' : 'other') },
    claim: 'none',
    verification: 'not_run',
    summary: message,
    ...(isLogin ? { errorKind: 'auth' } : {}),
    ...given({ refusal }),
  };
}

function withCost(facts: RunFacts, ending: Ending): Ending {
  return facts.spentUsd === null ? ending : { ...ending, costUsd: facts.spentUsd };
}
