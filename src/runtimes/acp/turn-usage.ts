import type { TurnUsage } from '../../protocol/turn-result.js';
import type { WirePromptEnd } from './wire.js';

/** What one prompt used; null where the agent does not tell. */
export function promptUsage({ usage, _meta }: WirePromptEnd): TurnUsage | null {
  if (usage)
    return {
      inputTokens: whole(usage.inputTokens),
      outputTokens: whole(usage.outputTokens),
      cacheReadInputTokens: whole(usage.cachedReadTokens ?? 0),
      cacheCreationInputTokens: whole(usage.cachedWriteTokens ?? 0),
    };
  const count = _meta?.quota.token_count;
  if (!count) return null;
  return {
    inputTokens: whole(count.input_tokens),
    outputTokens: whole(count.output_tokens),
    cacheReadInputTokens: 0,
    cacheCreationInputTokens: 0,
  };
}

function whole(count: number): number {
  return Number.isFinite(count) ? Math.max(0, Math.round(count)) : 0;
}
