import * as z from 'zod';
import { cutText } from '../protocol/cut-text.js';
import type { EventBody, EventType } from '../protocol/event.js';
import { PermissionMode } from '../protocol/posture.js';
import { UnansweredRules } from '../protocol/prompt.js';
import { AgentExit } from '../protocol/run.js';
import type { Usage } from '../protocol/thread.js';
import { turnResultShape } from '../protocol/turn-result.js';
import { AgentSigns, applyEvidence, noSigns } from './agent-signs.js';

const keptText = 2000;

/** A turn's result, without what only its event needs to hold. */
const LastTurn = z.object(turnResultShape).omit({ structuredOutput: true, usage: true });

const SentMessage = z.object({
  uuid: z.string(),
  seq: z.int().positive(),
  /** Somebody said it during the work; nobody says it again when its run dies. */
  isRemark: z.boolean().optional(),
});

/** What a run's events say about the run itself, folded from the first event to the last; stored, so plain data. */
export const RunFacts = z.object({
  sessionId: z.string().optional(),
  exit: AgentExit.optional(),
  /** The runner has said its last word; what follows is only its own end. */
  isOver: z.boolean(),
  signs: AgentSigns,
  /** Messages whose turn has not ended, with the place of each in the thread. */
  sent: z.array(SentMessage),
  /** Messages of the same work that an earlier run did not live to begin; they go out after what comes first. */
  held: z.array(SentMessage).optional(),
  /** The permission mode, once it has changed. */
  mode: PermissionMode.optional(),
  /** The piece of work that the agent has, until its outcome is committed. */
  work: z.string().optional(),
  /** The newest result since the newest piece of work was sent. */
  lastTurn: LastTurn.optional(),
  /** What turns cost since the newest piece of work was sent; null while nobody said. */
  spentUsd: z.number().nullable(),
  /** The newest error that the runner reported; it explains an end. */
  lastError: z.object({ isLogin: z.boolean(), message: z.string() }).optional(),
  /** The process was let go while this call waits for its answer. */
  parked: z.object({ toolUseId: z.string(), how: z.enum(['deferred', 'interrupted']) }).optional(),
  /** The call of an earlier life that this one takes up again, by itself. */
  takesUp: z.string().optional(),
  /** That call has asked again. */
  tookUp: z.boolean().optional(),
  /** Nothing of the session outlived the process, so nothing can be resumed. */
  sessionLost: z.boolean().optional(),
  /** The agent knows nothing of work that is under way: the next message brings all of it. */
  startsAfresh: z.boolean().optional(),
  /** The call of an earlier life that asks again, although nobody wants it answered any more. */
  declines: z.string().optional(),
  /** What the present work says about prompts that nobody answers. */
  unanswered: UnansweredRules.optional(),
  /** The agent stopped with a question in a file, and has heard nothing since. */
  leftQuestion: z.boolean().optional(),
  /** What is wrong with the question that the agent left in a file. */
  badQuestion: z.string().optional(),
});
export type RunFacts = z.infer<typeof RunFacts>;

export const noFacts: RunFacts = { isOver: false, signs: noSigns, sent: [], spentUsd: null };

/** The facts after one more event. */
export function applyEvent(facts: RunFacts, event: EventBody): RunFacts {
  switch (event.type) {
    case 'session_id_update':
      return { ...facts, sessionId: event.sessionId };
    case 'agent_exited':
      return { ...facts, exit: { exitCode: event.exitCode, signal: event.signal, oom: event.oom } };
    case 'complete':
    case 'shutdown':
      return { ...facts, isOver: true };
    case 'status_evidence':
      return { ...facts, signs: applyEvidence(facts.signs, event) };
    case 'error':
    case 'auth_error':
      return {
        ...facts,
        lastError: { isLogin: event.type === 'auth_error', message: cutText(event.message, keptText) },
      };
    case 'command_error':
      return refused(facts, event);
    case 'result':
      return afterResult(facts, event);
    // Not at the result: a question that the agent left in a file is reported between the two.
    case 'turn_complete':
      return { ...facts, sent: withoutLastTurn(facts) };
    case 'permission_mode_changed':
      return { ...facts, mode: event.mode };
    case 'user_question_request':
    case 'plan_approval_request':
    case 'permission_request':
      return event.toolUseId === facts.takesUp && facts.takesUp !== undefined
        ? { ...facts, tookUp: true }
        : facts;
    case 'parked':
      return { ...facts, parked: { toolUseId: event.toolUseId, how: event.how } };
    case 'needs_input':
      if (event.error !== undefined) return { ...facts, badQuestion: cutText(event.error, keptText) };
      return { ...facts, leftQuestion: true };
    default:
      return facts;
  }
}

/** The facts once another message is on its way; one that begins a piece of work closes the account of the last. */
export function withMessage(
  before: RunFacts,
  message: {
    readonly uuid: string;
    readonly seq: number;
    /** The piece of work that it begins. */
    readonly work?: string | undefined;
    readonly isRemark?: boolean | undefined;
    readonly unanswered?: UnansweredRules | undefined;
  },
): RunFacts {
  const { uuid, seq, work, isRemark, unanswered } = message;
  const sent = [...before.sent, { uuid, seq, ...(isRemark ? { isRemark } : {}) }];
  const { leftQuestion: _answered, startsAfresh: _begun, ...facts } = before;
  if (work === undefined) return { ...facts, sent };
  const { lastTurn: _of, lastError: _the, badQuestion: _earlier, unanswered: _work, ...rest } = facts;
  return { ...rest, sent, work, spentUsd: null, ...(unanswered ? { unanswered } : {}) };
}

/** The facts once the outcome of the work is known; what is said from now on is other work. */
export function withoutWork({ work: _ended, held: _dropped, ...facts }: RunFacts): RunFacts {
  return facts;
}

/** Whether the agent has nothing left to do: every message has its result, no turn and no background task is open. */
export function isSettled({ sent, signs }: RunFacts): boolean {
  return sent.length === 0 && !signs.turnOpen && !signs.backgroundOpen;
}

/** What one event adds to the usage of its thread, or null. */
export function usageOf(event: EventBody): Usage | null {
  if (event.type !== 'result') return null;
  const { usage, cost } = event;
  if (usage === null && cost === null) return null;
  return {
    inputTokens:
      (usage?.inputTokens ?? 0) + (usage?.cacheReadInputTokens ?? 0) + (usage?.cacheCreationInputTokens ?? 0),
    outputTokens: usage?.outputTokens ?? 0,
    costUsd: cost,
  };
}

/** Event types whose fold needs their content checked. */
export const foldedTypes: ReadonlySet<string> = new Set<EventType>([
  'session_id_update',
  'agent_exited',
  'complete',
  'shutdown',
  'result',
  'turn_complete',
  'status_evidence',
  'error',
  'auth_error',
  'command_error',
  // Prompts follow from these.
  'user_question_request',
  'plan_approval_request',
  'permission_request',
  'needs_input',
  'parked',
  'permission_mode_changed',
  'answer_delivered',
  'command_accepted',
  'tool_end',
  'interrupted',
]);

function afterResult({ declines: _told, ...facts }: RunFacts, event: EventBody<'result'>): RunFacts {
  const { structuredOutput: _kept, usage: _counted, type: _type, ...turn } = event;
  const lastTurn = { ...turn, ...(turn.text === undefined ? {} : { text: cutText(turn.text, keptText) }) };
  return {
    ...facts,
    lastTurn: LastTurn.parse(lastTurn),
    spentUsd: event.cost === null ? facts.spentUsd : (facts.spentUsd ?? 0) + event.cost,
  };
}

/** The messages whose result is not the last one. */
export function withoutLastTurn({ sent, lastTurn }: RunFacts): RunFacts['sent'] {
  return sent.filter(({ uuid }) => uuid !== lastTurn?.messageUuid);
}

/** A message that the runner did not take has no turn to wait for; what it only came too late for is kept. */
function refused(facts: RunFacts, event: EventBody<'command_error'>): RunFacts {
  const message = facts.sent.find(({ uuid }) => uuid === event.commandId);
  if (!message) return facts;
  const sent = facts.sent.filter((other) => other !== message);
  if (event.later) return { ...facts, sent, held: [...(facts.held ?? []), message] };
  return { ...facts, sent, lastError: { isLogin: false, message: cutText(event.error, keptText) } };
}

/** What somebody said during the work and the agent has not begun with. */
export function unsaid(facts: RunFacts): NonNullable<RunFacts['held']> {
  return [...(facts.held ?? []), ...withoutLastTurn(facts).filter(({ isRemark }) => isRemark)];
}

/** What the next run of the same work starts from: its account, the call that waits, and what was never begun. */
export function inheritedFacts(before: RunFacts): RunFacts {
  const { spentUsd, work } = before;
  const takesUp = waitingCall(before);
  const held = unsaid(before);
  return {
    ...noFacts,
    spentUsd,
    ...(takesUp === undefined ? {} : { takesUp }),
    ...(work === undefined ? {} : { work }),
    ...(held.length === 0 ? {} : { held }),
  };
}

/** The call that asks again in the next life of the session: it was let go, and has not asked since. */
function waitingCall({ parked, takesUp, tookUp }: RunFacts): string | undefined {
  if (parked) return parked.how === 'deferred' ? parked.toolUseId : undefined;
  return tookUp ? undefined : takesUp;
}

/** The facts of a run that is gone, once it is known which remarks its session has kept: those need not be said again. */
export function withoutSaved(facts: RunFacts, isSaved: (uuid: string) => boolean): RunFacts {
  const sent = facts.sent.filter(({ uuid, isRemark }) => !(isRemark && isSaved(uuid)));
  return { ...facts, sent };
}

/** The facts once everything that was held is on its way. */
export function withHeldSent({ held = [], ...facts }: RunFacts): RunFacts {
  return { ...facts, sent: [...facts.sent, ...held] };
}
