import * as z from 'zod';

const count = z.int().nonnegative();

const TextBlock = z.strictObject({
  text: z.string(),
  chunk: z.int().positive().optional().meta({ description: 'Characters in each delta.' }),
  repeat: z.int().positive().optional().meta({
    description: 'Says the text this many times; each time is a delta of its own unless chunk is given.',
  }),
});

const ThinkBlock = z.strictObject({ think: z.string() });

const ToolBlock = z.strictObject({
  tool: z.string().min(1),
  input: z.record(z.string(), z.unknown()).default({}),
  id: z.string().min(1).optional(),
});

const AskBlock = z.strictObject({
  ask: z
    .string()
    .min(1)
    .meta({ description: "A question to the person, by the runtime's own question tool." }),
  options: z.array(z.string().min(1)).min(2).default(['Yes', 'No']),
  header: z.string().min(1).default('Question'),
  multiple: z.boolean().default(false),
});

/** One part of a reply. */
export const ReplyBlock = z.union([TextBlock, ThinkBlock, ToolBlock, AskBlock]);
export type ReplyBlock = z.infer<typeof ReplyBlock>;
export type AskBlock = z.infer<typeof AskBlock>;
export type TextBlock = z.infer<typeof TextBlock>;

const times = z.int().positive().optional().meta({
  description: 'How many requests meet the fault; the next one is answered normally.',
});

/** What goes wrong with a reply on purpose. */
export const Fault = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('error'),
    status: z.int().min(400).max(599),
    type: z.string().optional(),
    message: z.string().optional(),
    retryAfterSeconds: z.number().nonnegative().optional(),
    resetsInSeconds: z.number().optional().meta({
      description:
        "Says in the headers of the vendors that the account's usage limit was reached, and when it is over.",
    }),
    times,
  }),
  z.strictObject({ kind: z.literal('hang'), afterEvents: count.default(0), times }),
  z.strictObject({ kind: z.literal('cut'), afterEvents: count.default(0), times }),
  z.strictObject({ kind: z.literal('malformed'), afterEvents: count.default(0), times }),
]);
export type Fault = z.infer<typeof Fault>;
export type ErrorFault = Extract<Fault, { kind: 'error' }>;
export type StreamFault = Exclude<Fault, ErrorFault>;

export const StopReason = z.enum(['end_turn', 'tool_use', 'max_tokens', 'refusal']);
export type StopReason = z.infer<typeof StopReason>;

const Usage = z.strictObject({
  inputTokens: count.optional(),
  outputTokens: count.optional(),
  cacheReadTokens: count.optional(),
  cacheWriteTokens: count.optional(),
});

/** What the model says to one request. */
export const Reply = z.strictObject({
  blocks: z.array(ReplyBlock).default([]),
  stopReason: StopReason.optional(),
  usage: Usage.optional(),
  model: z.string().min(1).optional(),
  delayMs: count.optional().meta({ description: 'How long the model is silent before its first byte.' }),
  chunkDelayMs: count.optional().meta({ description: 'How long it waits between two events of the stream.' }),
  fault: Fault.optional(),
});
export type Reply = z.infer<typeof Reply>;
