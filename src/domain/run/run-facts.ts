import * as z from 'zod';
import { cutText } from '../../protocol/cut-text.js';
import type { EventBody, EventType } from '../../protocol/event.js';
import { failureTable } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import { keysOf } from '../../protocol/keys.js';
import { PermissionMode } from '../../protocol/posture.js';
import { UnansweredRules } from '../../protocol/prompt.js';
import { AgentExit } from '../../protocol/run.js';
import { turnResultShape } from '../../protocol/turn-result.js';
import { withdrawnRequest } from '../prompts/prompt-thread.js';
import { AgentSigns, applyEvidence, noSigns } from '../status/agent-signs.js';
import { afterAsking, noCall, WaitingCall } from './waiting-call.js';

const keptText = 2000;

/** A turn's result, without what only its event needs to hold. */
const LastTurn = z.object(turnResultShape).omit({ structuredOutput: true, usage: true }).extend({
  /** The action whose denial began the turn, where the agent was not there to hear it inside of its call. */
  deniedBefore: z.string().optional(),
});

/** A message on its way to the agent, with its place in the thread. */
const RunMessage = z.object({
  uuid: z.string(),
  seq: z.int().positive(),
  /** Somebody said it during the work; nobody says it again when its run dies. */
  isFollowUp: z.boolean().optional(),
  /** It says that this action was denied; its turn has to do without it. */
  deniedTool: z.string().optional(),
  /** The agent has put something out in its turn. */
  hasOutput: z.boolean().optional(),
  /** The work that it was said for ended before its turn did, because somebody called it off or its time was up. */
  isOfOverWork: z.boolean().optional(),
});
export type RunMessage = z.infer<typeof RunMessage>;

/** The runtime's session that the agent works in. */
const RunSession = z.discriminatedUnion('state', [
  z.object({ state: z.literal('none') }),
  z.object({ state: z.literal('open'), id: z.string() }),
  /** Nothing of it outlived the process, so nothing can be resumed. */
  z.object({ state: z.literal('lost'), id: z.string() }),
]);

/** The piece of work that the agent has. */
const RunWork = z.object({
  id: z.string(),
  /** False for an agent that started afresh in the middle of the work: its next message must bring all of it. */
  isKnown: z.boolean(),
});

/** The question that the agent left in a file when it stopped. */
const LeftFile = z.discriminatedUnion('state', [
  z.object({ state: z.literal('none') }),
  /** The agent has heard nothing since. */
  z.object({ state: z.literal('question') }),
  z.object({ state: z.literal('unreadable'), error: z.string() }),
]);

/** What a run's events say about the run itself, folded from the first event to the last; stored, so plain data. */
export const RunFacts = z.object({
  session: RunSession,
  waitingCall: WaitingCall,
  leftFile: LeftFile,
  /** Until its outcome is committed. */
  work: RunWork.nullable(),
  signs: AgentSigns,
  /** The runner has reported its own end; only the end of its process follows. */
  isOver: z.boolean(),
  /** The runner stopped the agent, because its worker did not renew the lease in time. */
  isCutOff: z.boolean().optional(),
  /** Messages whose turn has not ended. */
  sent: z.array(RunMessage),
  /** Messages of the same work that an earlier run did not live to begin; they go out after what comes first. */
  unsent: z.array(RunMessage),
  /** Requests that were withdrawn in the turn that runs, as the runner has said. */
  withdrawn: z.array(z.string()).default([]),
  /** What turns cost since the newest piece of work was sent; null while nobody said. */
  spentUsd: z.number().nullable(),
  exit: AgentExit.optional(),
  /** The permission mode, once it has changed. */
  mode: PermissionMode.optional(),
  /** The newest result since the newest piece of work was sent. */
  lastTurn: LastTurn.optional(),
  /** The newest error that the runner reported; it explains an end. */
  lastError: z
    .object({ isLogin: z.boolean(), message: z.string(), refusal: z.enum(keysOf(failureTable)).optional() })
    .optional(),
  /** What the newest piece of work says about prompts that nobody answers. */
  unanswered: UnansweredRules.optional(),
});
export type RunFacts = z.infer<typeof RunFacts>;

export const noFacts: RunFacts = {
  session: { state: 'none' },
  waitingCall: noCall,
  leftFile: { state: 'none' },
  work: null,
  signs: noSigns,
  isOver: false,
  sent: [],
  unsent: [],
  withdrawn: [],
  spentUsd: null,
};

/** The facts after one more event. */
export function applyEvent(facts: RunFacts, event: EventBody): RunFacts {
  switch (event.type) {
    case 'session_id_update':
      return { ...facts, session: { state: 'open', id: event.sessionId } };
    case 'agent_exited':
      return { ...facts, exit: { exitCode: event.exitCode, signal: event.signal, oom: event.oom } };
    case 'complete':
      return { ...facts, isOver: true };
    case 'shutdown':
      return { ...facts, isOver: true, ...(event.reason === 'deadline' && { isCutOff: true }) };
    case 'status_evidence':
      return { ...facts, signs: applyEvidence(facts.signs, event) };
    case 'error':
    case 'auth_error':
      return {
        ...facts,
        lastError: {
          isLogin: event.type === 'auth_error',
          message: cutText(event.message, keptText),
          ...(event.type === 'error' ? given({ refusal: event.refusal }) : {}),
        },
      };
    case 'command_error':
      return withoutRefused(facts, event);
    case 'result':
      return withResult(facts, event);
    // Not at the result: a question that the agent left in a file is reported between the two.
    case 'turn_complete':
      return { ...facts, sent: notBegun(facts), withdrawn: [] };
    case 'command_accepted':
      return withWithdrawn(facts, withdrawnRequest(event.commandId));
    case 'permission_mode_changed':
      return { ...facts, mode: event.mode };
    case 'user_question_request':
    case 'plan_approval_request':
    case 'permission_request':
      return withWaitingCall(facts, afterAsking(facts.waitingCall, event));
    case 'parked':
      return withWaitingCall(facts, { state: 'parked', toolUseId: event.toolUseId, how: event.how });
    case 'needs_input':
      return isTurnOfOverWork(facts) ? facts : { ...facts, leftFile: leftBy(event) };
    default:
      return facts;
  }
}

/** The facts once the agent has put something out; messages are taken one after the other, so it belongs to the oldest. */
export function withOutput(facts: RunFacts): RunFacts {
  const [now, ...later] = facts.sent;
  return !now || now.hasOutput ? facts : { ...facts, sent: [{ ...now, hasOutput: true }, ...later] };
}

/** Event types whose content is checked, because facts or prompts follow from it. */
export const foldedTypes: ReadonlySet<string> = new Set<EventType>([
  'session_id_update',
  'agent_exited',
  'complete',
  'shutdown',
  'result',
  'turn_complete',
  'status_evidence',
  'resources_used',
  'error',
  'auth_error',
  'command_error',
  // Prompts follow from these.
  'user_question_request',
  'plan_approval_request',
  'permission_request',
  'request_withdrawn',
  'needs_input',
  'parked',
  'permission_mode_changed',
  'answer_delivered',
  'command_accepted',
  'tool_end',
  'interrupted',
  // Comments follow from this.
  'review_comment_added',
]);

/** Whether the agent has nothing left to do: every message has its result, no turn and no background task is open. */
export function isSettled({ sent, signs }: Pick<RunFacts, 'sent' | 'signs'>): boolean {
  return sent.length === 0 && !signs.turnOpen && !signs.backgroundOpen;
}

/** Whether the process is about to be gone: its runner has reported its own end, or has let go of a call that waits. */
export function isEnding({ isOver, waitingCall }: Pick<RunFacts, 'isOver' | 'waitingCall'>): boolean {
  return isOver || waitingCall.state === 'parked';
}

/** The id of the session that can be resumed, where there is one. */
export function sessionOf({ session }: RunFacts): string | undefined {
  return session.state === 'open' ? session.id : undefined;
}

/** Whether the turn that runs, or has its result, was begun for work that is over: nobody waits for what it asks. */
export function isTurnOfOverWork({ sent, lastTurn }: RunFacts): boolean {
  const message = sent.find(({ uuid }) => uuid === lastTurn?.messageUuid) ?? sent[0];
  return message?.isOfOverWork === true;
}

/** The messages whose result is not the last one. */
export function notBegun({ sent, lastTurn }: RunFacts): RunMessage[] {
  return sent.filter(({ uuid }) => uuid !== lastTurn?.messageUuid);
}

/** The same object where nothing changes, because a change is written to the store. */
function withWaitingCall(facts: RunFacts, waitingCall: WaitingCall): RunFacts {
  return waitingCall === facts.waitingCall ? facts : { ...facts, waitingCall };
}

function withWithdrawn(facts: RunFacts, requestId: string | undefined): RunFacts {
  return requestId === undefined ? facts : { ...facts, withdrawn: [...facts.withdrawn, requestId] };
}

/** The requests whose calls have heard that nobody answers; one that was cut off by a park has not. */
export function heardRequests({ withdrawn, waitingCall }: RunFacts): readonly string[] {
  return waitingCall.state === 'parked' && waitingCall.how === 'interrupted' ? [] : withdrawn;
}

function leftBy({ error }: EventBody<'needs_input'>): RunFacts['leftFile'] {
  return error === undefined
    ? { state: 'question' }
    : { state: 'unreadable', error: cutText(error, keptText) };
}

function withResult(facts: RunFacts, event: EventBody<'result'>): RunFacts {
  const { structuredOutput: _kept, usage: _counted, type: _type, ...turn } = event;
  const text = turn.text === undefined ? undefined : cutText(turn.text, keptText);
  const deniedBefore = facts.sent.find(({ uuid }) => uuid === turn.messageUuid)?.deniedTool;
  return {
    ...facts,
    // Whoever was to be declined has heard it by now.
    waitingCall: facts.waitingCall.state === 'declining' ? noCall : facts.waitingCall,
    lastTurn: LastTurn.parse({ ...turn, ...given({ text, deniedBefore }) }),
    spentUsd: event.cost === null ? facts.spentUsd : (facts.spentUsd ?? 0) + event.cost,
  };
}

/** A message that the runner did not take has no turn to wait for; what it only came too late for is kept. */
function withoutRefused(facts: RunFacts, event: EventBody<'command_error'>): RunFacts {
  const message = facts.sent.find(({ uuid }) => uuid === event.commandId);
  if (!message) return facts;
  const sent = facts.sent.filter((other) => other !== message);
  if (event.later && message.isOfOverWork) return { ...facts, sent };
  if (event.later) return { ...facts, sent, unsent: [...facts.unsent, message] };
  return { ...facts, sent, lastError: { isLogin: false, message: cutText(event.error, keptText) } };
}
