import * as z from 'zod';
import { ClaimedExitCode } from './exit-code.js';

const count = z.int().nonnegative();

/** Tokens of one turn, main agent only. */
export const TurnUsage = z.object({
  inputTokens: count,
  outputTokens: count,
  cacheReadInputTokens: count,
  cacheCreationInputTokens: count,
});
export type TurnUsage = z.infer<typeof TurnUsage>;

/** What the agent did in one turn, counted from its tool calls. */
export const TurnStats = z.object({
  toolCalls: count,
  toolsByType: z.record(z.string(), count),
  subAgents: count,
  filesRead: count,
  filesWritten: count,
  bashCommands: count,
  webSearches: count,
  totalToolDurationMs: z.number().nonnegative(),
});
export type TurnStats = z.infer<typeof TurnStats>;

/** Why a turn failed, in words that a policy can act on. */
export const TurnErrorKind = z.enum([
  'auth',
  'rate_limit',
  'overloaded',
  'server',
  'network',
  'invalid_request',
  'billing',
  'max_turns',
  'max_budget',
  'structured_output',
  'interrupted',
  'other',
]);
export type TurnErrorKind = z.infer<typeof TurnErrorKind>;

/** The fields of a turn's `result` event. */
export const turnResultShape = {
  success: z.boolean(),
  subtype: z.string(),
  cost: z.number().nonnegative().nullable(),
  turns: count,
  usage: TurnUsage.nullable(),
  stats: TurnStats,
  origin: z.enum(['message', 'background_task']),
  text: z.string().optional(),
  structuredOutput: z.unknown().optional(),
  errors: z.array(z.string()).optional(),
  output: z.string().optional().describe('The end of what a command printed that failed.'),
  errorKind: TurnErrorKind.optional(),
  /** What a command that was told about our exit codes claims with its own. */
  claimedExitCode: ClaimedExitCode.optional(),
  /** When the limit that ended the turn is over, where the runtime says so. */
  retryAt: z.iso.datetime().optional(),
  denials: z.array(z.object({ tool: z.string(), toolUseId: z.string() })).optional(),
  messageUuid: z.string().optional(),
  durationMs: z.number().nonnegative().optional(),
};
