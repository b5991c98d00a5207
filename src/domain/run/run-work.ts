import { given } from '../../protocol/given.js';
import type { UnansweredRules } from '../../protocol/prompt.js';
import { noFacts, notBegun, type RunFacts, type RunMessage } from './run-facts.js';
import { callToTakeUp, type WaitingCall } from './waiting-call.js';

/** The facts once another message is on its way; one that begins a piece of work closes the account of the last. */
export function withMessage(
  before: RunFacts,
  message: {
    readonly uuid: string;
    readonly seq: number;
    /** The piece of work that it begins. */
    readonly work?: string | undefined;
    readonly isFollowUp?: boolean | undefined;
    /** The action whose denial it tells. */
    readonly deniedTool?: string | undefined;
    readonly unanswered?: UnansweredRules | undefined;
  },
): RunFacts {
  const { uuid, seq, work, isFollowUp, deniedTool, unanswered } = message;
  const withMessage: RunFacts = {
    ...before,
    sent: [...before.sent, { uuid, seq, ...(isFollowUp ? { isFollowUp } : {}), ...given({ deniedTool }) }],
    // One that its runner took too late is said again; it must not go out a second time besides, because that has no turn.
    unsent: before.unsent.filter((message) => message.uuid !== uuid),
    leftFile: before.leftFile.state === 'question' ? { state: 'none' } : before.leftFile,
    work: before.work && { ...before.work, isKnown: true },
  };
  if (work === undefined) return withMessage;
  const { lastTurn: _of, lastError: _the, unanswered: _former, ...facts } = withMessage;
  return {
    ...facts,
    leftFile: { state: 'none' },
    work: { id: work, isKnown: true },
    spentUsd: null,
    ...given({ unanswered }),
  };
}

/** The facts once the outcome of the work is known; what is said from now on is other work. */
export function withoutWork(facts: RunFacts): RunFacts {
  return {
    ...facts,
    work: null,
    sent: facts.sent.map((message) => ({ ...message, isOfOverWork: true })),
    unsent: [],
  };
}

/** What somebody said during the work and the agent has not begun with. */
export function unheard(facts: RunFacts): RunMessage[] {
  const cutOff = notBegun(facts).filter(({ isFollowUp }) => isFollowUp);
  return [...facts.unsent, ...cutOff.map(({ hasOutput: _ofThisLife, ...message }) => message)];
}

/** The facts once everything that was unsent is on its way. */
export function withUnsentSent(facts: RunFacts): RunFacts {
  return { ...facts, sent: [...facts.sent, ...facts.unsent], unsent: [] };
}

/** The facts of a run that is gone, once it is known which follow-ups its session has saved: those need not be said again. */
export function withoutSaved(facts: RunFacts, isSaved: (uuid: string) => boolean): RunFacts {
  return { ...facts, sent: facts.sent.filter(({ uuid, isFollowUp }) => !(isFollowUp && isSaved(uuid))) };
}

/** How the next run of a thread begins. */
export interface RunBeginning {
  /** The piece of work that it is for. */
  readonly work?: string | undefined;
  /** The session that it resumes. */
  readonly resume?: string | undefined;
  /** The session in which the work was begun is lost. */
  readonly startsAfresh?: boolean | undefined;
}

/**
 * What a run starts from: one of the same work takes up where the last one was let go or died, other work starts anew.
 * A call that was let go asks again in the next life of its session, whatever became of its question meanwhile.
 */
export function firstFacts(
  beginning: RunBeginning,
  { last, isWanted }: { readonly last: RunFacts | null; readonly isWanted: (toolUseId: string) => boolean },
): RunFacts {
  const { work, resume, startsAfresh = false } = beginning;
  const session: RunFacts['session'] =
    resume === undefined ? { state: 'none' } : { state: 'open', id: resume };
  if (!last) return { ...noFacts, session };
  const isSame = work !== undefined && last.work?.id === work;
  const account: Partial<RunFacts> = isSame
    ? { work: { id: work, isKnown: !startsAfresh }, spentUsd: last.spentUsd, unsent: unheard(last) }
    : {};
  const toolUseId = resume === undefined ? undefined : callToTakeUp(last.waitingCall);
  return { ...noFacts, ...account, session, ...given({ waitingCall: takenUp(toolUseId, isWanted) }) };
}

function takenUp(
  toolUseId: string | undefined,
  isWanted: (toolUseId: string) => boolean,
): WaitingCall | undefined {
  if (toolUseId === undefined) return undefined;
  return isWanted(toolUseId)
    ? { state: 'taking_up', toolUseId, hasAsked: false }
    : { state: 'declining', toolUseId };
}
