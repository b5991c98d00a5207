import { type FollowedEvent, factOf } from '../client/thread-event.js';
import type { TurnUsage } from '../protocol/turn-result.js';

/** What a thread's events say about its agent: how it works, and how full its context is. */
export interface AgentFacts {
  readonly model?: string;
  readonly permissionMode?: string;
  readonly context?: TurnUsage;
  readonly contextWindow?: number;
  readonly todos: readonly { readonly content: string; readonly status: string }[];
}

export const noAgentFacts: AgentFacts = { todos: [] };

const telling = new Set([
  'init',
  'model_changed',
  'permission_mode_changed',
  'context_usage',
  'context_window_size',
  'todo_update',
]);

/** The facts after one more event; the same object where nothing changed. */
export function withEvent(facts: AgentFacts, event: FollowedEvent): AgentFacts {
  if (!telling.has(event.type)) return facts;
  const fact = factOf(event);
  switch (fact?.type) {
    case 'init':
      return { ...facts, model: fact.model, permissionMode: fact.permissionMode };
    case 'model_changed':
      return { ...facts, model: fact.model };
    case 'permission_mode_changed':
      return { ...facts, permissionMode: fact.mode };
    case 'context_usage': {
      const { inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens } = fact;
      return {
        ...facts,
        context: { inputTokens, outputTokens, cacheReadInputTokens, cacheCreationInputTokens },
      };
    }
    case 'context_window_size':
      return { ...facts, contextWindow: fact.contextWindow };
    case 'todo_update':
      return { ...facts, todos: fact.todos };
    default:
      return facts;
  }
}

/** How many tokens the agent has in mind. */
export function contextSize({ context }: AgentFacts): number | undefined {
  if (!context) return undefined;
  return context.inputTokens + context.cacheReadInputTokens + context.cacheCreationInputTokens;
}
