import type { EventBody, EventType } from '../protocol/event.js';
import type { AgentExit } from '../protocol/run.js';
import type { Usage } from '../protocol/thread.js';

/** What a run's events say about the run itself, folded from the first event to the last. */
export interface RunFacts {
  readonly sessionId?: string;
  readonly exit?: AgentExit;
  /** The runner has said its last word; what follows is only its own end. */
  readonly isOver: boolean;
}

export const noFacts: RunFacts = { isOver: false };

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
    default:
      return facts;
  }
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
]);
