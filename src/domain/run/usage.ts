import type { EventBody } from '../../protocol/event.js';
import type { Usage } from '../../protocol/thread.js';

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
