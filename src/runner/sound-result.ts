import * as z from 'zod';
import { cutText } from '../protocol/cut-text.js';
import { deepestNesting, isShallow } from '../protocol/nesting.js';
import { type TurnUsage, turnResultShape } from '../protocol/turn-result.js';
import type { TurnEnded } from '../runtimes/runtime.js';

type Result = TurnEnded['result'];

// Beyond these a figure measures nothing, and sums of a few of them could not be stored or told any more.
const most = { count: 1e12, usd: 1e9, ms: 1e12 } as const;
const longestText = 2 ** 20;
const longestError = 4000;
const mostErrors = 20;

const { stats: _ours, ...told } = turnResultShape;
const Told = z.object(told);

/** A figure that an agent tells of itself, as one that can be stored: no number is too strange to be told. */
export function soundCount(told: number): number {
  return Math.round(within(told, most.count));
}

/** How long something took, as its agent tells it. */
export function soundDuration(told: number): number {
  return within(told, most.ms);
}

/**
 * The result of a turn as whoever waits for it can read it. A turn ends with its result, so one that nobody can read would
 * leave the turn open for ever, whatever the agent made strange: its figures, its texts or its structured output.
 */
export function soundResult(result: Result): Result {
  const { usage, structuredOutput, text, errors, cost, durationMs } = result;
  if (!isShallow(structuredOutput))
    return unreadable(result, `Its structured output is nested deeper than ${deepestNesting} levels.`);
  const sound: Result = {
    ...result,
    turns: soundCount(result.turns),
    cost: cost === null || !Number.isFinite(cost) ? null : within(cost, most.usd),
    usage: usage && soundUsage(usage),
    ...(durationMs !== undefined && { durationMs: soundDuration(durationMs) }),
    ...(text !== undefined && { text: cutText(text, longestText) }),
    ...(errors && { errors: errors.slice(0, mostErrors).map((error) => cutText(error, longestError)) }),
  };
  const read = Told.safeParse(sound);
  return read.success ? sound : unreadable(result, z.prettifyError(read.error));
}

function soundUsage(usage: TurnUsage): TurnUsage {
  return {
    inputTokens: soundCount(usage.inputTokens),
    outputTokens: soundCount(usage.outputTokens),
    cacheReadInputTokens: soundCount(usage.cacheReadInputTokens),
    cacheCreationInputTokens: soundCount(usage.cacheCreationInputTokens),
  };
}

function unreadable({ origin, messageUuid }: Result, why: string): Result {
  return {
    success: false,
    subtype: 'error_other',
    cost: null,
    turns: 0,
    usage: null,
    origin: origin === 'background_task' ? origin : 'message',
    errors: [cutText(`The agent's result cannot be read: ${why}`, longestError)],
    errorKind: 'other',
    ...(typeof messageUuid === 'string' && { messageUuid }),
  };
}

function within(told: number, limit: number): number {
  // What is no number, or less than nothing, compares as false.
  return told >= 0 ? Math.min(limit, told) : 0;
}
