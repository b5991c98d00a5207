import type { DispatchState } from '../../protocol/dispatch.js';
import type { DispatchId, PromptId, RunId } from '../../protocol/id.js';
import type { Outcome } from '../../protocol/outcome.js';
import type { AgentExit } from '../../protocol/run.js';
import { isOpen, type ThreadPrompt } from '../prompts/thread-prompt.js';
import { isEnding, isSettled, type RunFacts } from '../run/run-facts.js';

// A call that was deferred asks again as soon as its session has started; a busy machine takes long to start one.
const asksAgainMs = 60_000;
const startsWithinMs = 10 * 60_000;

/** A prompt as far as a dispatch has to care. */
export interface PromptProgress {
  /** Nobody has answered. */
  readonly isOpen: boolean;
  /** The answer cannot go into a tool call any more, so a message has to carry it. */
  readonly needsMessage: boolean;
}

/** Everything that decides what happens next with a dispatch. */
export interface DispatchProgress {
  readonly state: DispatchState;
  readonly noInput: boolean;
  /** The try that is under way. */
  readonly attempt: { readonly runIds: readonly RunId[] } | null;
  /** The last try has ended with a question; the next begins with what became of it. */
  readonly endedAsking: boolean;
  readonly run: {
    readonly facts: RunFacts;
    /** A message can be given to it. */
    readonly isReady: boolean;
  } | null;
  readonly end: EndedRun | null;
  /** Prompts that are open, whose answer the agent has not used yet, or of whose withdrawal it has not heard. */
  readonly prompts: readonly PromptProgress[];
}

/** How the newest run of a thread ended. */
export interface EndedRun {
  readonly facts: RunFacts;
  readonly exit: AgentExit;
  /** Why we ended it, when we did. */
  readonly intent?: string;
  /** The work that it was for has ended, so that nothing starts it again. */
  readonly isWorkOver?: boolean;
}

/** The run of a thread that lives, as far as a dispatch has to care. */
export interface ProgressRun {
  readonly id: RunId;
  readonly startedAt: string;
  readonly facts: RunFacts;
  /** Its process is known; a worker may have died between the run's row and its process. */
  readonly isStarted: boolean;
}

/** What the progress of a dispatch is read from. */
export interface ProgressSources {
  readonly dispatch: {
    readonly id: DispatchId;
    readonly state: DispatchState;
    readonly noInput: boolean;
    readonly attempts: readonly {
      readonly startedAt: string;
      readonly endedAt?: string | undefined;
      readonly outcome?: Pick<Outcome, 'claim'> | undefined;
      readonly runIds: readonly RunId[];
    }[];
  };
  readonly run: ProgressRun | null;
  readonly end: EndedRun | null;
  readonly prompts: readonly ThreadPrompt[];
  readonly now: number;
  readonly answerUuid: (promptId: PromptId) => string;
  /** The message that asks the agent of a run to ask again for a secret. */
  readonly askAgainUuid: (promptId: PromptId, runId: RunId) => string;
  /** Whether a secret was given that the agent gets when it asks again. */
  readonly hasSecret: (promptId: PromptId) => boolean;
}

/** Where a dispatch stands, by what is committed. */
export function progressOf(sources: ProgressSources): DispatchProgress {
  const { dispatch, run, end, now } = sources;
  const last = dispatch.attempts.at(-1);
  return {
    state: dispatch.state,
    noInput: dispatch.noInput,
    attempt: last && last.endedAt === undefined ? last : null,
    endedAsking: last?.endedAt !== undefined && last.outcome?.claim === 'needs_input',
    run: run && {
      facts: run.facts,
      isReady: run.isStarted && !isEnding(run.facts) && !isDeclining(run, now),
    },
    end,
    prompts: promptsOf(sources).map((prompt) => ({
      isOpen: isOpen(prompt) && !sources.hasSecret(prompt.id),
      needsMessage: needsMessage(prompt, sources),
    })),
  };
}

/** The prompts of this dispatch; a thread may have an unused answer from an earlier one, and questions of the worker's own. */
export function promptsOf({
  dispatch,
  prompts,
}: Pick<ProgressSources, 'prompts'> & {
  readonly dispatch: Pick<ProgressSources['dispatch'], 'id' | 'attempts'>;
}): readonly ThreadPrompt[] {
  return prompts.filter(
    (prompt) => wasAskedIn(dispatch, prompt) && !prompt.questions.some(({ byWorker }) => byWorker),
  );
}

/**
 * Whether an agent asked this while it did a piece of work, whatever the clocks say: another worker may have begun the try,
 * and a clock may have been set. Only for a prompt that does not know its work, the time decides.
 */
export function wasAskedIn(
  { id, attempts }: Pick<ProgressSources['dispatch'], 'id' | 'attempts'>,
  { work, createdAt }: Pick<ThreadPrompt, 'work' | 'createdAt'>,
): boolean {
  const since = attempts[0]?.startedAt;
  if (since === undefined) return false;
  return work === undefined ? createdAt >= since : work === id;
}

/** Whether an answer cannot go into the call that asked, because nobody waits there any more. */
export function needsMessage(
  prompt: ThreadPrompt,
  sources: Pick<ProgressSources, 'run' | 'now' | 'answerUuid' | 'askAgainUuid' | 'hasSecret'>,
): boolean {
  const { run, now, answerUuid, askAgainUuid } = sources;
  const isSecret = isOpen(prompt) && sources.hasSecret(prompt.id);
  if (isOpen(prompt) && !isSecret) return false;
  if (!run) return true;
  const { facts } = run;
  // A request that its turn left behind waits for nobody.
  const isWaitedFor = prompt.requestId !== undefined && run.id === prompt.runId && !isSettled(facts);
  // A call that was deferred asks again by itself, in the first turn of the next life.
  const asksAgain =
    facts.waitingCall.state === 'taking_up' &&
    facts.waitingCall.toolUseId === prompt.toolUseId &&
    facts.lastTurn === undefined &&
    mayAskAgain(run, now);
  const isDeclined =
    prompt.isUntold === true &&
    facts.waitingCall.state === 'declining' &&
    facts.waitingCall.toolUseId === prompt.toolUseId &&
    mayAskAgain(run, now);
  const message = isSecret ? askAgainUuid(prompt.id, run.id) : answerUuid(prompt.id);
  const isOnItsWay = facts.sent.some(({ uuid }) => uuid === message);
  return !isWaitedFor && !asksAgain && !isDeclined && !isOnItsWay;
}

/** An old call is still to hear that nobody answers; a message in between would be lost with it. */
function isDeclining(run: ProgressRun, now: number): boolean {
  return run.facts.waitingCall.state === 'declining' && mayAskAgain(run, now);
}

/** Whether a call of an earlier life may still come back: its session starts, or has just started. */
function mayAskAgain({ startedAt, facts }: ProgressRun, now: number): boolean {
  const alive = facts.signs.by.isAlive;
  const since = now - Date.parse(alive?.at ?? startedAt);
  return since < (alive ? asksAgainMs : startsWithinMs);
}
