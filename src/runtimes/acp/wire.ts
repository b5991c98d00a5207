import * as z from 'zod';

// What agents say over ACP, read loosely: fields that are not used here may change as they like.

const text = z.string();
const nullable = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().optional();
const meta = { _meta: z.unknown().optional() };

/** What an agent says of itself. */
export const WireAgent = z.looseObject({
  protocolVersion: z.number(),
  agentInfo: nullable(z.looseObject({ name: text, version: text.optional() })),
  agentCapabilities: nullable(
    z.looseObject({
      loadSession: z.boolean().optional(),
      promptCapabilities: nullable(z.looseObject({ image: z.boolean().optional() })),
      mcpCapabilities: nullable(z.looseObject({ http: z.boolean().optional(), sse: z.boolean().optional() })),
      sessionCapabilities: nullable(z.looseObject({ resume: z.unknown().optional() })),
    }),
  ),
  authMethods: nullable(
    z.array(z.looseObject({ id: text, name: text.optional(), description: nullable(text) })),
  ),
});
export type WireAgent = z.infer<typeof WireAgent>;

const Choice = z.looseObject({ value: text, name: text.optional() });
const ConfigOption = z.looseObject({
  id: text,
  category: nullable(text),
  currentValue: z.unknown().optional(),
  options: z.array(z.union([Choice, z.looseObject({ options: z.array(Choice) })])).optional(),
});

/** A session that was made or taken up: what can be chosen in it. */
export const WireSessionSetup = z.looseObject({
  sessionId: text.optional(),
  modes: nullable(
    z.looseObject({ currentModeId: text.optional(), availableModes: z.array(z.looseObject({ id: text })) }),
  ),
  models: nullable(
    z.looseObject({
      currentModelId: text.optional(),
      availableModels: z.array(z.looseObject({ modelId: text, name: text.optional() })),
    }),
  ),
  configOptions: nullable(z.array(ConfigOption)),
});
export type WireSessionSetup = z.infer<typeof WireSessionSetup>;

const Tokens = z.looseObject({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedReadTokens: nullable(z.number()),
  cachedWriteTokens: nullable(z.number()),
});

/** Gemini tells what a turn used only here. */
const Quota = z.looseObject({
  quota: z.looseObject({
    token_count: z.looseObject({ input_tokens: z.number(), output_tokens: z.number() }),
  }),
});

/** The end of a prompt. */
export const WirePromptEnd = z.looseObject({
  stopReason: text,
  usage: nullable(Tokens).catch(null),
  _meta: nullable(Quota).catch(null),
});
export type WirePromptEnd = z.infer<typeof WirePromptEnd>;

const Diff = z.looseObject({ type: z.literal('diff'), path: text, oldText: nullable(text), newText: text });
const Said = z.looseObject({
  type: z.literal('content'),
  content: z.looseObject({ type: text, text: text.optional() }),
});

/** A tool call, as far as it is known; updates tell only what has changed. */
const toolCall = {
  toolCallId: text,
  title: nullable(text),
  name: nullable(text),
  kind: nullable(text),
  status: nullable(text),
  rawInput: z.unknown().optional(),
  rawOutput: z.unknown().optional(),
  content: nullable(z.array(z.union([Diff, Said, z.looseObject({ type: text })]))),
  locations: nullable(z.array(z.looseObject({ path: text }))),
  ...meta,
};
const ToolCall = z.looseObject(toolCall);
export type WireToolCall = z.infer<typeof ToolCall>;
export type WireDiff = z.infer<typeof Diff>;

/** The diffs of a call, and the texts that stand beside them. */
export function toolContent(call: Pick<WireToolCall, 'content'>): {
  readonly diffs: WireDiff[];
  readonly texts: string[];
} {
  const parts = call.content ?? [];
  return {
    diffs: parts.flatMap((part) => Diff.safeParse(part).data ?? []),
    texts: parts.flatMap((part) => Said.safeParse(part).data?.content.text ?? []),
  };
}

const chunk = z.looseObject({
  messageId: nullable(text),
  content: z.looseObject({ type: text, text: text.optional() }),
});

const updates = {
  agent_message_chunk: chunk,
  agent_thought_chunk: chunk,
  user_message_chunk: chunk.partial({ content: true }),
  tool_call: ToolCall,
  tool_call_update: ToolCall,
  plan: z.looseObject({ entries: z.array(z.looseObject({ content: text, status: text })) }),
  usage_update: z.looseObject({
    used: z.number(),
    size: z.number(),
    cost: nullable(z.looseObject({ amount: z.number(), currency: text })),
  }),
  session_info_update: z.looseObject(meta),
  config_option_update: z.looseObject({ configOptions: z.array(ConfigOption) }),
  available_commands_update: z.looseObject({}),
  current_mode_update: z.looseObject({}),
} as const;

type Updates = typeof updates;
type UpdateKind = keyof Updates;

/** An update that means something to us, or one that nobody here has heard of. */
export type WireUpdate =
  | { [K in UpdateKind]: { readonly kind: K; readonly update: z.infer<Updates[K]> } }[UpdateKind]
  | { readonly kind: 'unrecognized'; readonly raw: unknown };

const Notification = z.looseObject({
  sessionId: text,
  update: z.looseObject({ sessionUpdate: text }),
});

/** An update with the session that it is about. */
export function readUpdate(params: unknown): WireUpdate & { readonly sessionId: string | null } {
  const outer = Notification.safeParse(params);
  if (!outer.success) return { kind: 'unrecognized', raw: params, sessionId: null };
  const { sessionId, update } = outer.data;
  if (isKnown(update.sessionUpdate)) {
    const parsed = updates[update.sessionUpdate].safeParse(update);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema was looked up by the same kind
    if (parsed.success) return { kind: update.sessionUpdate, update: parsed.data, sessionId } as never;
  }
  return { kind: 'unrecognized', raw: update, sessionId };
}

/** What something is that nobody here knows, so that each kind is told once. */
export function kindOf(raw: unknown): string {
  if (typeof raw !== 'object' || raw === null) return typeof raw;
  if ('sessionUpdate' in raw) return String(raw.sessionUpdate);
  return 'method' in raw ? String(raw.method) : '';
}

function isKnown(kind: string): kind is UpdateKind {
  return Object.hasOwn(updates, kind);
}

export const WirePermissionRequest = z.looseObject({
  sessionId: text,
  toolCall: ToolCall,
  options: z.array(z.looseObject({ optionId: text, kind: text, name: text.optional() })),
});
export type WirePermissionRequest = z.infer<typeof WirePermissionRequest>;
export type WireOption = WirePermissionRequest['options'][number];

export const WireElicitation = z.looseObject({
  sessionId: nullable(text),
  toolCallId: nullable(text),
  mode: text,
  message: text,
  requestedSchema: z.unknown().optional(),
  url: nullable(text),
});
export type WireElicitation = z.infer<typeof WireElicitation>;
