import type { DispatchState } from '../protocol/dispatch.js';
import type { RunId } from '../protocol/id.js';
import type { AgentExit } from '../protocol/run.js';
import { type Ending, endingOfExit, endingOfTurn, workerFailedEnding } from './outcome.js';
import { isSettled, type RunFacts, unsaid, withoutLastTurn } from './run-facts.js';

/** A prompt as far as a dispatch has to care. */
export interface PromptStanding {
  /** Nobody has answered. */
  readonly isOpen: boolean;
  /** The answer cannot go into a tool call any more, so a message has to carry it. */
  readonly needsMessage: boolean;
}

/** Everything that decides what happens next with a dispatch. */
export interface Standing {
  readonly state: DispatchState;
  readonly noInput: boolean;
  /** The try that is under way. */
  readonly attempt: { readonly runIds: readonly RunId[] } | null;
  readonly run: {
    readonly id: RunId;
    readonly facts: RunFacts;
    /** Its process is known; a worker may have died between the run's row and its process. */
    readonly isStarted: boolean;
  } | null;
  readonly end: {
    readonly facts: RunFacts;
    readonly exit: AgentExit;
    readonly intent?: string;
  } | null;
  /** Prompts that are open, or whose answer the agent has not used yet. */
  readonly prompts: readonly PromptStanding[];
}

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
  | { readonly do: 'send_held' }
  | { readonly do: 'await_person' }
  | { readonly do: 'go_on' }
  /** Somebody asks, and nobody is to be asked. */
  | { readonly do: 'refuse_question' }
  | { readonly do: 'conclude'; readonly ending: Ending };

const wait: Move = { do: 'wait' };

const unansweredEnding: Ending = {
  execution: { kind: 'completed' },
  claim: 'needs_input',
  verification: 'not_run',
  reason: 'unanswered',
};

/**
 * A dispatch walks: attempt begun → agent launched, or found idle → work sent → settled → concluded.
 * Every step is decided anew from what is committed, so a worker that died anywhere goes on at the same place.
 */
export function nextMove(standing: Standing): Move {
  const { attempt, run, state } = standing;
  if (!attempt) return { do: 'begin_attempt' };
  if (attempt.runIds.length === 0) {
    if (!run) return { do: 'launch' };
    // What an earlier dispatch left unfinished is being interrupted.
    return run.isStarted && isSettled(run.facts) ? { do: 'send' } : wait;
  }
  if (standing.prompts.some(({ isOpen }) => isOpen)) {
    if (standing.noInput) return { do: 'refuse_question' };
    return state === 'waiting' ? wait : { do: 'await_person' };
  }
  const mustCarry = standing.prompts.some(({ needsMessage }) => needsMessage);
  if (!run) {
    const goesOn = mustCarry || wasLetGoTooEarly(standing);
    return goesOn ? { do: 'launch' } : { do: 'conclude', ending: endingOfDeadRun(standing) };
  }
  if (mustCarry) return { do: 'carry_answers' };
  if (state === 'waiting') return { do: 'go_on' };
  // The agent has the answer, or is about to get it.
  if (standing.prompts.length > 0) return wait;
  if (run.facts.held && run.isStarted) return { do: 'send_held' };
  if (!isSettled(run.facts)) return wait;
  const ending = endingOfFacts(run.facts);
  return ending ? { do: 'conclude', ending } : wait;
}

/** Whether something was said that the agent had not begun with when its process was let go. */
function wasLetGoTooEarly({ end }: Standing): boolean {
  return end?.facts.parked !== undefined && unsaid(end.facts).length > 0;
}

function endingOfDeadRun({ end }: Standing): Ending {
  if (!end) return endingOfExit({ exitCode: null, signal: null, oom: false }, 'The run was never seen.');
  const { facts, exit, intent } = end;
  const isOver = !facts.parked && isSettled({ ...facts, sent: withoutLastTurn(facts) });
  const settled = isOver ? endingOfFacts(facts) : null;
  if (settled) return settled;
  // The question was withdrawn while its agent was away, so there is nothing to wake it with.
  if (facts.parked) return withCost(facts, unansweredEnding);
  if (intent !== undefined)
    return { execution: { kind: 'cancelled' }, claim: 'none', verification: 'not_run', reason: intent };
  const left = endingOfLeftFile(facts);
  if (left) return left;
  if (facts.lastError?.isLogin) return withCost(facts, errorEnding(facts.lastError));
  return withCost(facts, endingOfExit(exit, facts.lastError?.message ?? "The agent's process died."));
}

function endingOfFacts(facts: RunFacts): Ending | null {
  const { lastTurn, lastError } = facts;
  const left = endingOfLeftFile(facts);
  if (left) return left;
  if (lastTurn) return withCost(facts, endingOfTurn({ ...lastTurn, usage: null }));
  if (!lastError) return null;
  return errorEnding(lastError);
}

/** A question in a file decides whatever else is known of the turn; that it is still open was looked at before. */
function endingOfLeftFile(facts: RunFacts): Ending | null {
  const { badQuestion, leftQuestion } = facts;
  if (leftQuestion) return withCost(facts, unansweredEnding);
  return badQuestion === undefined ? null : withCost(facts, workerFailedEnding(badQuestion));
}

function errorEnding({ message, isLogin }: NonNullable<RunFacts['lastError']>): Ending {
  return {
    execution: { kind: 'error', error: isLogin ? 'auth' : 'other' },
    claim: 'none',
    verification: 'not_run',
    summary: message,
    ...(isLogin ? { errorKind: 'auth' } : {}),
  };
}

function withCost(facts: RunFacts, ending: Ending): Ending {
  return facts.spentUsd === null ? ending : { ...ending, costUsd: facts.spentUsd };
}
