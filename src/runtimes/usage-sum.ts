import type { TurnUsage } from '../protocol/turn-result.js';

/** What was used by several calls of the model together. */
export function usageSum(one: TurnUsage | null, other: TurnUsage): TurnUsage {
  if (!one) return other;
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cacheReadInputTokens: one.cacheReadInputTokens + other.cacheReadInputTokens,
    cacheCreationInputTokens: one.cacheCreationInputTokens + other.cacheCreationInputTokens,
  };
}
