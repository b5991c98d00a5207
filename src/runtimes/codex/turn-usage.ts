import type { TurnUsage } from '../../protocol/turn-result.js';
import type { CodexTokens } from './wire.js';

/** Codex counts what was cached as input too. */
export function codexUsage(tokens: CodexTokens): TurnUsage {
  const { inputTokens, cachedInputTokens: read = 0, cacheWriteInputTokens: created = 0 } = tokens;
  return {
    inputTokens: Math.max(0, inputTokens - read - created),
    outputTokens: tokens.outputTokens,
    cacheReadInputTokens: read,
    cacheCreationInputTokens: created,
  };
}
