import * as z from 'zod';

/**
 * What Claude Code says through its SDK, read loosely: fields we do not use may be missing or change.
 * Measured on SDK 0.3.325; what is not in these tables becomes `unrecognized`, except `ignored`.
 */
const text = z.string();
const parent = { parent_tool_use_id: text.nullish(), agent_id: text.optional(), session_id: text.optional() };
const tokens = z.looseObject({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
  cache_creation_input_tokens: z.number().nullish(),
});
export type ClaudeTokens = z.infer<typeof tokens>;

const block = z.looseObject({
  type: text,
  text: text.optional(),
  thinking: text.optional(),
  id: text.optional(),
  name: text.optional(),
  input: z.unknown().optional(),
  tool_use_id: text.optional(),
  is_error: z.boolean().nullish(),
  content: z.unknown().optional(),
});
export type WireBlock = z.infer<typeof block>;

// An image or a document is in the workspace or in the attachment that it came from; a compaction and a fallback are told
// by messages of their own.
const knownBlocks = new Set([
  'text',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'tool_result',
  'image',
  'document',
  'search_result',
  'tool_reference',
  'compaction',
  'fallback',
]);

/** Whether a content block is of a type that is understood here, or known to be of no use to a parent. */
export function isKnownBlock(type: unknown): boolean {
  return typeof type === 'string' && knownBlocks.has(type);
}

const blocks = z.union([
  text.transform((whole): WireBlock[] => [{ type: 'text', text: whole }]),
  z.array(block),
]);

const messages = {
  assistant: z.looseObject({
    type: z.literal('assistant'),
    message: z.looseObject({
      id: text.optional(),
      model: text.optional(),
      content: blocks,
      usage: tokens.nullish(),
    }),
    error: text.nullish(),
    ...parent,
  }),
  user: z.looseObject({
    type: z.literal('user'),
    message: z.looseObject({ content: blocks }),
    tool_use_result: z.unknown().optional(),
    isReplay: z.boolean().optional(),
    ...parent,
  }),
  result: z.looseObject({
    type: z.literal('result'),
    subtype: text,
    is_error: z.boolean(),
    session_id: text,
    num_turns: z.number().optional(),
    duration_ms: z.number().optional(),
    result: text.nullish(),
    errors: z.array(text).nullish(),
    usage: tokens.nullish(),
    total_cost_usd: z.number().optional(),
    modelUsage: z.record(text, z.looseObject({ contextWindow: z.number().optional() })).nullish(),
    model_usage_since_last_result: z
      .record(text, z.looseObject({ costUSD: z.number().optional() }))
      .nullish(),
    permission_denials: z.array(z.looseObject({ tool_name: text, tool_use_id: text })).nullish(),
    terminal_reason: text.nullish(),
    stop_reason: text.nullish(),
    deferred_tool_use: z.looseObject({ id: text.optional(), name: text.optional() }).nullish(),
    api_error_status: z.number().nullish(),
    structured_output: z.unknown().optional(),
    origin: z.looseObject({ kind: text }).nullish(),
    user_message_uuids: z.array(text).nullish(),
    uuid: text.optional(),
  }),
  tool_progress: z.looseObject({
    type: z.literal('tool_progress'),
    tool_use_id: text,
    tool_name: text,
    elapsed_time_seconds: z.number(),
    ...parent,
  }),
  'system/init': z.looseObject({
    type: z.literal('system'),
    subtype: z.literal('init'),
    session_id: text,
    cwd: text,
    model: text,
    tools: z.array(text),
    mcp_servers: z.array(z.looseObject({ name: text, status: text })),
    permissionMode: text,
    claude_code_version: text.optional(),
    slash_commands: z.array(text).optional(),
    agents: z.array(text).optional(),
    skills: z.array(text).optional(),
    betas: z.array(text).optional(),
  }),
  'system/status': z.looseObject({
    type: z.literal('system'),
    subtype: z.literal('status'),
    permissionMode: text.optional(),
  }),
  'system/session_state_changed': z.looseObject({
    type: z.literal('system'),
    subtype: z.literal('session_state_changed'),
    state: text,
  }),
  rate_limit_event: z.looseObject({
    type: z.literal('rate_limit_event'),
    rate_limit_info: z.looseObject({ status: text, resetsAt: z.number().optional() }),
  }),
  'system/api_retry': z.looseObject({
    type: z.literal('system'),
    subtype: z.literal('api_retry'),
    attempt: z.number(),
    max_retries: z.number(),
    retry_delay_ms: z.number(),
    error_status: z.number().nullish(),
    error: text.optional(),
  }),
  'system/compact_boundary': z.looseObject({
    type: z.literal('system'),
    subtype: z.literal('compact_boundary'),
    compact_metadata: z.looseObject({
      trigger: text,
      pre_tokens: z.number(),
      post_tokens: z.number().optional(),
    }),
  }),
  'system/task_started': z.looseObject({
    type: z.literal('system'),
    subtype: z.literal('task_started'),
    task_id: text,
    tool_use_id: text.optional(),
  }),
  'system/background_tasks_changed': z.looseObject({
    type: z.literal('system'),
    subtype: z.literal('background_tasks_changed'),
    tasks: z.array(z.looseObject({ task_id: text, task_type: text, description: text.optional() })),
  }),
  'system/informational': z.looseObject({
    type: z.literal('system'),
    subtype: z.literal('informational'),
    content: text.optional(),
    tag: text.optional(),
  }),
  'system/model_fallback': z.looseObject({ type: z.literal('system'), subtype: z.literal('model_fallback') }),
} as const;

type Messages = { [Key in keyof typeof messages]: z.infer<(typeof messages)[Key]> };
export type WireInit = Messages['system/init'];
export type WireResult = Messages['result'];
export type WireAssistant = Messages['assistant'];
export type WireUser = Messages['user'];

/** A message by kind; `stream` stays raw because thousands of them pass in a turn. */
export type WireMessage =
  | { [Key in keyof Messages]: { readonly kind: Key; readonly message: Messages[Key] } }[keyof Messages]
  | { readonly kind: 'stream'; readonly event: StreamEvent; readonly parentToolUseId: string | null }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'unrecognized'; readonly raw: unknown };

/** The model's own stream events, one field deep; see `delta` for the hot ones. */
export interface StreamEvent {
  readonly type: string;
  readonly message?: { readonly id?: string; readonly usage?: ClaudeTokens };
  readonly content_block?: { readonly type?: string };
  readonly delta?: { readonly type?: string; readonly text?: string; readonly thinking?: string };
  readonly usage?: ClaudeTokens;
  readonly index?: number;
}

/** Said by the SDK, understood, and of no use to a parent. */
const ignored = new Set([
  'command_lifecycle',
  'tool_use_summary',
  'prompt_suggestion',
  'conversation_reset',
  'system/hook_started',
  'system/hook_progress',
  'system/hook_response',
  'system/thinking_tokens',
  'system/task_progress',
  'system/task_updated',
  'system/task_notification',
  'system/control_request_progress',
  'system/session_title_changed',
  'system/bridge_state',
  'system/commands_changed',
  'system/ui_invalidate',
  'system/files_persisted',
  'system/plugin_install',
  'system/permission_denied',
  'system/worker_shutting_down',
  'system/local_command_output',
  'system/memory_recall',
  'system/elicitation_complete',
]);

/** Reads one SDK message; never throws. */
export function readMessage(raw: unknown): WireMessage {
  if (!isRecord(raw) || typeof raw['type'] !== 'string') return { kind: 'unrecognized', raw };
  if (raw['type'] === 'stream_event') return readStream(raw);
  const key =
    typeof raw['subtype'] === 'string' && raw['type'] === 'system' ? `system/${raw['subtype']}` : raw['type'];
  if (ignored.has(key)) return { kind: 'ignored' };
  if (!isKnown(key)) return { kind: 'unrecognized', raw };
  const parsed = messages[key].safeParse(raw);
  if (!parsed.success) return { kind: 'unrecognized', raw };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of this very key has accepted it
  return { kind: key, message: parsed.data } as WireMessage;
}

function isKnown(key: string): key is keyof Messages {
  return Object.hasOwn(messages, key);
}

// A schema per delta made a 5,000-delta turn a quarter slower, so this path checks by hand.
function readStream(raw: Record<string, unknown>): WireMessage {
  const { event } = raw;
  if (!isRecord(event) || typeof event['type'] !== 'string') return { kind: 'unrecognized', raw };
  const parentToolUseId = typeof raw['parent_tool_use_id'] === 'string' ? raw['parent_tool_use_id'] : null;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every field is optional and checked where used
  return { kind: 'stream', event: event as unknown as StreamEvent, parentToolUseId };
}

const hookBase = { agent_id: text.optional(), session_id: text.optional() };
const toolHook = {
  ...hookBase,
  tool_name: text,
  tool_use_id: text,
  tool_input: z.record(text, z.unknown()).catch({}),
};

const hooks = {
  PreToolUse: z.looseObject({ hook_event_name: z.literal('PreToolUse'), ...toolHook }),
  PostToolUse: z.looseObject({
    hook_event_name: z.literal('PostToolUse'),
    ...toolHook,
    duration_ms: z.number().optional(),
  }),
  PostToolUseFailure: z.looseObject({
    hook_event_name: z.literal('PostToolUseFailure'),
    ...toolHook,
    error: text.catch(''),
    duration_ms: z.number().optional(),
  }),
  Notification: z.looseObject({
    hook_event_name: z.literal('Notification'),
    ...hookBase,
    title: text.optional(),
    message: text.catch(''),
    notification_type: text.optional(),
  }),
  SessionStart: z.looseObject({
    hook_event_name: z.literal('SessionStart'),
    ...hookBase,
    source: text.optional(),
  }),
  SessionEnd: z.looseObject({
    hook_event_name: z.literal('SessionEnd'),
    ...hookBase,
    reason: text.optional(),
  }),
  Stop: z.looseObject({ hook_event_name: z.literal('Stop'), ...hookBase }),
  SubagentStart: z.looseObject({
    hook_event_name: z.literal('SubagentStart'),
    agent_id: text,
    agent_type: text.catch(''),
  }),
  SubagentStop: z.looseObject({
    hook_event_name: z.literal('SubagentStop'),
    agent_id: text,
    last_assistant_message: text.optional(),
  }),
} as const;

export type HookName = keyof typeof hooks;
type Hooks = { [Name in HookName]: z.infer<(typeof hooks)[Name]> };
export type WireHook = Hooks[HookName];
export type ToolHook = Hooks['PreToolUse'];

/** The hooks that are installed, always all of them. */
export const hookNames: readonly HookName[] = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Notification',
  'SessionStart',
  'SessionEnd',
  'Stop',
  'SubagentStart',
  'SubagentStop',
];

/** Reads a hook's input; null when a newer runtime sends something else. */
export function readHook<Name extends HookName>(name: Name, raw: unknown): Hooks[Name] | null {
  const parsed = hooks[name].safeParse(raw);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of this very name has accepted it
  return parsed.success ? (parsed.data as Hooks[Name]) : null;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
