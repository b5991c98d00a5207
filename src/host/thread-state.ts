import { noFacts, type RunFacts } from '../domain/run-facts.js';
import { arbitrate } from '../domain/status-arbiter.js';
import type { RunId } from '../protocol/id.js';
import type { AgentExit } from '../protocol/run.js';
import type { StatusReport } from '../protocol/status.js';
import type { StoredPrompt } from '../store/stored-prompt.js';
import type { StoredRun } from '../store/stored-run.js';
import type { StoredThread } from '../store/stored-thread.js';

/** Why the process of an agent that asks was ended. */
export const parkedIntent = 'parked until the answer comes';

/** A run whose process lives, or may still show up. */
export interface LiveRun {
  readonly run: StoredRun;
  readonly facts: RunFacts;
}

/** How the newest run of a thread ended. */
export interface RunEnd {
  readonly runId: RunId;
  readonly facts: RunFacts;
  readonly exit: AgentExit;
  readonly at: string;
  /** Why we ended it, when we did. */
  readonly intent?: string;
}

/** What the worker knows of one thread; always what is committed. */
export interface ThreadState {
  readonly thread: StoredThread;
  readonly run: LiveRun | null;
  readonly end: RunEnd | null;
  /** Prompts that are not over: pending ones, and answers that the agent has not used yet; oldest first. */
  readonly prompts: readonly StoredPrompt[];
}

/** A prompt that still waits for an answer. */
export function isOpen(prompt: StoredPrompt): boolean {
  return prompt.state === 'pending' && prompt.acceptedAt === undefined;
}

/** The status that follows from a state. */
export function reportOf(state: ThreadState): StatusReport {
  const { run, end } = state;
  const prompt = state.prompts.find((each) => each.active && isOpen(each));
  return arbitrate({
    run: run && {
      signs: run.facts.signs,
      messagesPending: run.facts.sent.length > 0,
      startedAt: run.run.startedAt,
    },
    end: end && {
      exit: end.exit,
      at: end.at,
      isRunnerLost: end.exit.exitCode === null && end.exit.signal === null,
      ...(end.intent === undefined ? {} : { intent: end.intent }),
    },
    prompt: prompt
      ? { id: prompt.id, text: prompt.questions[0]?.question ?? '', since: prompt.createdAt }
      : null,
  });
}

/** The state that the store's rows amount to. */
export function stateOf(rows: {
  readonly thread: StoredThread;
  readonly newest: StoredRun | undefined;
  readonly prompts: readonly StoredPrompt[];
}): ThreadState {
  const { thread, newest, prompts } = rows;
  const facts = newest?.facts ?? noFacts;
  const hasEnded = newest?.endedAt !== undefined;
  return {
    thread,
    prompts,
    run: newest && !hasEnded ? { run: newest, facts } : null,
    end: newest && hasEnded ? endOf(newest, facts) : null,
  };
}

/** How a run ended, from its row. */
export function endOf(run: StoredRun, facts: RunFacts): RunEnd {
  const intent = run.killIntent?.reason ?? (facts.parked ? parkedIntent : undefined);
  return {
    runId: run.id,
    facts,
    exit: run.exit ?? { exitCode: null, signal: null, oom: false },
    at: run.endedAt ?? run.startedAt,
    ...(intent === undefined ? {} : { intent }),
  };
}
