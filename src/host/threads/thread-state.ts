import type { EndedRun } from '../../domain/dispatch/dispatch-progress.js';
import { isOnItsWay, isOpen, type ThreadPrompt } from '../../domain/prompts/thread-prompt.js';
import { isEnding, isSettled, noFacts, type RunFacts } from '../../domain/run/run-facts.js';
import { arbitrate } from '../../domain/status/status-arbiter.js';
import { given } from '../../protocol/given.js';
import type { StatusReport } from '../../protocol/status.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { StoredThread } from '../../store/stored-thread.js';

/** Why the process of an agent that asks was ended. */
export const parkedIntent = 'to sleep until the answer comes';

/** A run whose process lives, or may still show up. */
export interface LiveRun {
  readonly run: StoredRun;
  readonly facts: RunFacts;
  /** Its runner is there and does not answer; seen by this worker, and stored only as the status that follows. */
  readonly isSilent?: boolean;
}

/** How the newest run of a thread ended, and when. */
export interface RunEnd extends EndedRun {
  readonly at: string;
}

/** What the worker knows of one thread; always what is committed. */
export interface ThreadState {
  readonly thread: StoredThread;
  readonly run: LiveRun | null;
  readonly end: RunEnd | null;
  /** Prompts that are not over: pending ones, answers that the agent has not used, withdrawals of which it has not heard; oldest first. */
  readonly prompts: readonly ThreadPrompt[];
}

/** The status that follows from a state. */
export function reportOf({ run, end, prompts }: ThreadState): StatusReport {
  const prompt = prompts.find((each) => each.active && isOpen(each));
  return arbitrate({
    run: run && {
      signs: run.facts.signs,
      messagesPending: run.facts.sent.length > 0,
      startedAt: run.run.startedAt,
      isSilent: run.isSilent ?? false,
    },
    end: end && {
      exit: end.exit,
      at: end.at,
      isRunnerLost: end.exit.exitCode === null && end.exit.signal === null,
      wasAtRest: isSettled(end.facts) && end.facts.work === null,
      ...given({ intent: end.intent, refusal: refusalOf(end.facts) }),
    },
    prompt: prompt
      ? {
          id: prompt.id,
          text: prompt.questions[0]?.question ?? '',
          since: prompt.createdAt,
          isOfEarlierRun: run !== null && prompt.runId !== run.run.id,
          isByWorker: prompt.questions.some(({ byWorker }) => byWorker),
        }
      : null,
    ...given({ wokenAt: run ? undefined : wokenAt(end, prompts) }),
  });
}

/** Why the runner started no agent. */
function refusalOf({ lastError }: RunFacts): string | undefined {
  return lastError?.refusal && lastError.message;
}

/** When an answer came that has its agent started again. */
function wokenAt(end: RunEnd | null, prompts: readonly ThreadPrompt[]): string | undefined {
  if (!end || end.isWorkOver) return undefined;
  return prompts.find(
    (prompt) =>
      isOnItsWay(prompt) &&
      (prompt.acceptedAt ?? '') >= end.at &&
      !prompt.questions.some(({ byWorker }) => byWorker),
  )?.acceptedAt;
}

/** The state that the store's rows amount to. */
export function stateOf(rows: {
  readonly thread: StoredThread;
  readonly newest: StoredRun | undefined;
  readonly prompts: readonly ThreadPrompt[];
}): ThreadState {
  const { thread, newest, prompts } = rows;
  const facts = newest?.facts ?? noFacts;
  const hasEnded = newest?.endedAt !== undefined;
  return {
    thread,
    prompts,
    run: newest && !hasEnded ? { run: newest, facts } : null,
    end: newest && hasEnded ? { ...endOf(newest, facts), isWorkOver: isWorkOver(thread) } : null,
  };
}

function isWorkOver({ lastDispatch }: StoredThread): boolean {
  return lastDispatch?.state !== 'running' && lastDispatch?.state !== 'waiting';
}

/** How a run ended, from its row. */
export function endOf(run: StoredRun, facts: RunFacts): RunEnd {
  const wasParked = facts.waitingCall.state === 'parked';
  const intent = run.killIntent?.reason ?? (wasParked ? parkedIntent : undefined);
  return {
    facts,
    exit: run.exit ?? { exitCode: null, signal: null, oom: false },
    at: run.endedAt ?? run.startedAt,
    ...given({ intent }),
  };
}

/** Whether the agent of a run waits for work, and is not being ended. */
export function isIdle({ run, facts }: LiveRun): boolean {
  return run.killIntent === undefined && isSettled(facts) && !isEnding(facts);
}

/** The state with other facts about the run that lives. */
export function withFacts(state: ThreadState, facts: RunFacts): ThreadState {
  return state.run ? { ...state, run: { ...state.run, facts } } : state;
}
