import type { PromptId } from '../../protocol/id.js';
import type { AgentExit } from '../../protocol/run.js';
import type {
  AgentStatus,
  Confidence,
  StatusEvidence,
  StatusFact,
  StatusReport,
} from '../../protocol/status.js';
import { exitWords, isCleanExit } from '../words/exit-words.js';
import { modelRetryWords } from '../words/model-retry-words.js';
import { stopWords } from '../words/stop-words.js';
import { type AgentSigns, restOf, workOf } from './agent-signs.js';

/** All that decides what a thread's agent is doing. */
export interface Situation {
  /** The run that lives. */
  readonly run: {
    readonly signs: AgentSigns;
    readonly messagesPending: boolean;
    readonly startedAt: string;
    /** Its runner is there and does not answer. */
    readonly isSilent?: boolean;
  } | null;
  /** How the newest run ended, while none lives. */
  readonly end: RunEnd | null;
  /** The open prompt that is active. */
  readonly prompt: {
    readonly id: PromptId;
    readonly text: string;
    readonly since: string;
    /** An earlier run has asked it, and the one that lives has not asked again. */
    readonly isOfEarlierRun?: boolean;
    /** Nobody but us waits for the answer. */
    readonly isByWorker?: boolean;
  } | null;
  /** When an answer was accepted that starts the agent again; left out where none was. */
  readonly wokenAt?: string;
}

interface RunEnd {
  readonly exit: AgentExit;
  readonly at: string;
  /** Why we ended it, when we did. */
  readonly intent?: string;
  readonly isRunnerLost: boolean;
  /** It had nothing left to do. */
  readonly wasAtRest?: boolean;
  /** Why its agent was never started: nobody has died. */
  readonly refusal?: string;
}

type LiveRun = NonNullable<Situation['run']>;

/** An open prompt outranks everything, even a death that its answer repairs; then how the run ended, or what it does. */
export function arbitrate(situation: Situation): StatusReport {
  if (situation.prompt !== null) return asking(situation.prompt, situation);
  if (situation.run !== null) return living(situation.run);
  if (situation.wokenAt !== undefined)
    return report({ state: 'busy', since: situation.wokenAt }, 'your answer starts the agent again', byHost);
  if (situation.end !== null) return ended(situation.end);
  return report({ state: 'stopped' }, 'not started yet', byHost);
}

/** Whether a report says something new, compared with the last one; `since` and `why` move with every tool and turn. */
export function isNews(before: StatusReport, after: StatusReport): boolean {
  return identity(before) !== identity(after);
}

function asking(prompt: NonNullable<Situation['prompt']>, { run, end }: Situation): StatusReport {
  const status = {
    state: 'question',
    promptId: prompt.id,
    prompt: prompt.text,
    since: prompt.since,
    held: run !== null && !hasExited(run) && !prompt.isByWorker,
  } as const;
  return report(status, askingWhy({ run, end, prompt }), { source: 'prompt', confidence: 'authoritative' });
}

function askingWhy({ run, end, prompt }: Situation): string {
  if (prompt?.isByWorker) return 'Handraise asks; no agent waits for the answer';
  if (run?.isSilent) return 'the agent asks; its runner does not answer at the moment';
  if (run && hasExited(run)) return 'the agent asked and stopped; your answer starts it again';
  if (run && prompt?.isOfEarlierRun) return 'the agent runs again and has not asked this again yet';
  if (run !== null) return 'the agent asks and waits for the answer';
  if (end === null) return 'the agent asks; your answer starts it';
  if (end.intent !== undefined) return 'sleeping, your answer wakes it';
  if (isCleanExit(end.exit)) return 'the agent asked and stopped; your answer starts it again';
  return "the agent's process ended; your answer restarts it";
}

/** Whether the agent's own process has ended while its runner stays. */
function hasExited({ signs }: LiveRun): boolean {
  return !signs.isAlive && signs.by.isAlive?.fact === 'exited';
}

function living({ signs, messagesPending, startedAt, isSilent = false }: LiveRun): StatusReport {
  // What it said last may be long over.
  if (isSilent) return report({ state: 'unknown' }, 'the runner of the agent does not answer', byHost);
  if (signs.by.isAlive?.fact === 'exited') {
    return report(
      { state: 'stopped' },
      "the agent's process has ended; its runner is still running",
      signs.by.isAlive,
    );
  }
  if (!signs.isAlive) {
    return report(
      { state: 'initializing' },
      'the agent was launched and has said nothing yet',
      signs.last ?? byHost,
    );
  }
  if (signs.ownReport === 'asking' && signs.by.ownReport !== null) {
    const status = { state: 'question', since: signs.by.ownReport.at, held: true } as const;
    return report(status, askingWords(signs.by.ownReport), signs.by.ownReport);
  }
  const work = workOf(signs);
  if (work !== null && signs.modelSilent && signs.by.modelSilent !== null && !signs.toolsOpen) {
    const modelRetry = signs.by.modelSilent.retry ?? { attempt: 1 };
    const status = { state: 'busy', since: signs.busySince ?? work.at, modelRetry } as const;
    return report(status, modelRetryWords(modelRetry), signs.by.modelSilent);
  }
  if (work !== null) {
    return report({ state: 'busy', since: signs.busySince ?? work.at }, workWords(work), work);
  }
  const isGuess = isGuessed(signs);
  if (messagesPending && !isGuess) {
    const since = signs.last?.at ?? startedAt;
    return report({ state: 'busy', since }, 'a message is waiting to be processed', byHost);
  }
  const rest = restOf(signs);
  if (rest !== null && (!messagesPending || isGuess)) return report({ state: 'idle' }, restWhy(rest), rest);
  return report(
    { state: 'unknown' },
    'the agent is alive, and its runtime does not report what it is doing',
    {
      source: signs.last?.source ?? byHost.source,
      confidence: 'weak',
    },
  );
}

/** Whether a process is there that tells nothing of its turns: whether it has begun with a message, nobody can say. */
function isGuessed({ by }: AgentSigns): boolean {
  const isTold = by.turnOpen !== null && by.turnOpen.fact !== 'exited';
  const isSure =
    by.ownReport !== null && by.ownReport.confidence !== 'weak' && by.ownReport.fact !== 'exited';
  return by.isAlive?.confidence === 'weak' && !isTold && !isSure;
}

const workWhy: Partial<Record<StatusFact, string>> = {
  message_accepted: 'a message is waiting to be processed',
  turn_started: 'the agent works on a turn',
  tool_started: 'a tool is running',
  background_opened: 'a background task is open',
  said_busy: 'the agent says that it is busy',
};

function workWords({ fact, confidence }: StatusEvidence): string {
  if (fact === 'said_busy' && confidence === 'weak') return 'the agent has just written something';
  return workWhy[fact] ?? 'the agent works';
}

function askingWords({ confidence }: StatusEvidence): string {
  return confidence === 'weak'
    ? 'the bell of its terminal rang'
    : 'the agent says that it waits for a person';
}

function restWhy(rest: StatusEvidence): string {
  if (rest.confidence === 'weak') return 'the agent has been silent for a while';
  return rest.fact === 'said_idle'
    ? 'the agent says that it is idle'
    : 'the turn has ended and nothing is open';
}

function ended(end: RunEnd): StatusReport {
  if (end.intent !== undefined) return report({ state: 'stopped' }, stopWords(end.intent), byHost);
  if (end.refusal !== undefined)
    return report({ state: 'stopped' }, `the agent could not be started: ${end.refusal}`, byHost);
  const { exitCode, signal, oom } = end.exit;
  if (oom)
    return report({ state: 'oomKilled' }, `the agent's process ended ${exitWords(end.exit)}`, byProcess);
  if (isCleanExit(end.exit)) return report({ state: 'stopped' }, 'the agent ended by itself', byProcess);
  const isUnseen = end.isRunnerLost && exitCode === null && signal === null;
  // A machine that was switched off takes nothing from work that is done.
  if (isUnseen && end.wasAtRest)
    return report({ state: 'stopped' }, 'it had nothing to do when its process ended, cause unknown', byHost);
  const status = { state: 'crashed', exitCode, ...(signal === null ? {} : { signal }) } as const;
  const why = isUnseen ? 'ended, cause unknown' : `the agent's process ended ${exitWords(end.exit)}`;
  return report(status, why, byProcess);
}

interface Witness {
  readonly source: string;
  readonly confidence: Confidence;
}

const byHost: Witness = { source: 'host', confidence: 'authoritative' };
const byProcess: Witness = { source: 'process', confidence: 'authoritative' };

function report(status: AgentStatus, why: string, { source, confidence }: Witness): StatusReport {
  return { ...status, why, source, confidence };
}

function identity(status: StatusReport): string {
  switch (status.state) {
    case 'question':
      return JSON.stringify([status.state, status.promptId, status.held]);
    case 'crashed':
      return JSON.stringify([status.state, status.exitCode, status.signal]);
    case 'busy':
      return JSON.stringify([status.state, status.confidence, status.modelRetry]);
    default:
      return JSON.stringify([status.state, status.confidence]);
  }
}
