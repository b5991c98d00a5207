import * as z from 'zod';

// What Codex's app server says, read loosely: fields that are not used here may change as they like.

const text = z.string();
const nullable = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().optional();

/** A thread that was started, resumed or forked. */
export const WireOpened = z.looseObject({
  thread: z.looseObject({ id: text, cliVersion: text.optional() }),
  cwd: text,
  model: text,
  reasoningEffort: nullable(text),
});
export type WireOpened = z.infer<typeof WireOpened>;

export const WireTurnStarted = z.looseObject({ turn: z.looseObject({ id: text }) });

/** What is wrong, as a word or as a word with a status. */
const ErrorInfo = z.union([text, z.record(text, z.unknown())]);

const WireError = z.looseObject({ message: text, codexErrorInfo: nullable(ErrorInfo) });
export type WireError = z.infer<typeof WireError>;

const FileChange = z.looseObject({
  path: text,
  kind: z.looseObject({ type: text, move_path: nullable(text) }),
  diff: text,
});

/** Something that happens in a turn; which fields it has depends on its type. */
const Item = z.looseObject({
  type: text,
  id: text,
  text: text.optional(),
  status: nullable(text),
  command: nullable(text),
  cwd: nullable(text),
  aggregatedOutput: nullable(text),
  exitCode: nullable(z.number()),
  durationMs: nullable(z.number()),
  changes: z.array(FileChange).optional(),
  server: text.optional(),
  namespace: nullable(text),
  tool: text.optional(),
  arguments: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
  contentItems: z.unknown().optional(),
  success: nullable(z.boolean()),
  summary: z.unknown().optional(),
  content: z.unknown().optional(),
  query: nullable(text),
  path: text.optional(),
  prompt: nullable(text),
  receiverThreadIds: z.array(text).optional(),
});
export type WireItem = z.infer<typeof Item>;

// Beside the calls of tools. What a person or a hook put in is known already, and nobody here asks for a review.
const knownItems = new Set([
  'agentMessage',
  'contextCompaction',
  'enteredReviewMode',
  'exitedReviewMode',
  'hookPrompt',
  'plan',
  'reasoning',
  'userMessage',
]);

/** Whether an item that is no call of a tool is of a type that is understood here, or known to be no news. */
export function isKnownItem(type: string): boolean {
  return knownItems.has(type);
}

const Tokens = z.looseObject({
  inputTokens: z.number(),
  cachedInputTokens: z.number().optional(),
  cacheWriteInputTokens: z.number().optional(),
  outputTokens: z.number(),
});
export type CodexTokens = z.infer<typeof Tokens>;

const Window = z.looseObject({ usedPercent: z.number().optional(), resetsAt: nullable(z.number()) });

const inThread = { threadId: text };
const inTurn = { threadId: text, turnId: text };
const delta = z.looseObject({ ...inTurn, itemId: text, delta: text });
const note = z.looseObject({ message: text.optional(), summary: text.optional() });

const notifications = {
  'thread/status/changed': z.looseObject({
    ...inThread,
    status: z.looseObject({ type: text, activeFlags: z.array(text).optional() }),
  }),
  'turn/started': z.looseObject({ ...inThread, turn: z.looseObject({ id: text }) }),
  'turn/completed': z.looseObject({
    ...inThread,
    turn: z.looseObject({
      id: text,
      status: text,
      error: nullable(WireError),
      durationMs: nullable(z.number()),
    }),
  }),
  'turn/plan/updated': z.looseObject({
    ...inThread,
    plan: z.array(z.looseObject({ step: text, status: text })),
  }),
  'item/started': z.looseObject({ ...inTurn, item: Item }),
  'item/completed': z.looseObject({ ...inTurn, item: Item }),
  'item/agentMessage/delta': delta,
  'item/reasoning/summaryTextDelta': delta,
  'item/reasoning/textDelta': delta,
  'thread/tokenUsage/updated': z.looseObject({
    ...inTurn,
    tokenUsage: z.looseObject({ last: Tokens, modelContextWindow: nullable(z.number()) }),
  }),
  'account/rateLimits/updated': z.looseObject({
    rateLimits: z.looseObject({ primary: nullable(Window), secondary: nullable(Window) }),
  }),
  error: z.looseObject({ ...inTurn, error: WireError, willRetry: z.boolean() }),
  warning: note,
  guardianWarning: note,
  configWarning: note,
  deprecationNotice: note,
  'mcpServer/startupStatus/updated': z.looseObject({ name: text, status: text, error: nullable(text) }),
  'model/rerouted': z.looseObject({ ...inThread, fromModel: text, toModel: text }),
  'serverRequest/resolved': z.looseObject({ ...inThread, requestId: z.union([text, z.number()]) }),
} as const;

type Notifications = typeof notifications;
type Method = keyof Notifications;

/** A notification that means something to us, one that does not, or one that nobody here has heard of. */
export type WireNotification =
  | { [M in Method]: { readonly kind: M; readonly params: z.infer<Notifications[M]> } }[Method]
  | { readonly kind: 'ignored' }
  | { readonly kind: 'unrecognized'; readonly raw: unknown };

/** Said besides, and no news: it repeats other messages, or speaks of what nobody here asked for. */
const ignored = new Set([
  'account/updated',
  'app/list/updated',
  'hook/completed',
  'hook/started',
  'item/commandExecution/outputDelta',
  'item/commandExecution/terminalInteraction',
  'item/fileChange/outputDelta',
  'item/fileChange/patchUpdated',
  'item/mcpToolCall/progress',
  'item/plan/delta',
  'item/reasoning/summaryPartAdded',
  'remoteControl/status/changed',
  'skills/changed',
  // The item of a compaction says the same.
  'thread/compacted',
  'thread/goal/cleared',
  'thread/goal/updated',
  'thread/name/updated',
  'thread/readState/changed',
  'thread/settings/updated',
  'thread/started',
  'turn/diff/updated',
]);

export function readNotification(method: string, params: unknown): WireNotification {
  if (ignored.has(method)) return { kind: 'ignored' };
  if (isKnown(method)) {
    const parsed = notifications[method].safeParse(params);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema was looked up by the same method
    if (parsed.success) return { kind: method, params: parsed.data } as WireNotification;
  }
  return { kind: 'unrecognized', raw: { method, params } };
}

function isKnown(method: string): method is Method {
  return Object.hasOwn(notifications, method);
}

const approval = { ...inTurn, itemId: text, reason: nullable(text) };

/** What Codex asks of us, by method. */
const requests = {
  'item/commandExecution/requestApproval': z.looseObject({
    ...approval,
    command: nullable(text),
    cwd: nullable(text),
    networkApprovalContext: z.unknown().optional(),
    additionalPermissions: z.unknown().optional(),
  }),
  'item/fileChange/requestApproval': z.looseObject({ ...approval, grantRoot: nullable(text) }),
  'item/permissions/requestApproval': z.looseObject({
    ...approval,
    permissions: z.record(text, z.unknown()),
  }),
  'item/tool/requestUserInput': z.looseObject({
    ...inTurn,
    itemId: text,
    questions: z.array(
      z.looseObject({
        id: text,
        question: text,
        header: text.optional(),
        isSecret: z.boolean().optional(),
        options: nullable(z.array(z.looseObject({ label: text, description: text.optional() }))),
      }),
    ),
  }),
  'item/tool/call': z.looseObject({
    ...inTurn,
    callId: text,
    namespace: nullable(text),
    tool: text,
    arguments: z.unknown().optional(),
  }),
  'mcpServer/elicitation/request': z.looseObject({
    ...inThread,
    turnId: nullable(text),
    serverName: text,
    mode: text,
    message: text.optional(),
    requestedSchema: z.unknown().optional(),
    url: text.optional(),
    _meta: z.unknown().optional(),
  }),
} as const;

type Requests = typeof requests;
export type RequestMethod = keyof Requests;

export type WireRequest<M extends RequestMethod = RequestMethod> = {
  [Each in M]: { readonly kind: Each; readonly params: z.infer<Requests[Each]> };
}[M];

/** A request, or null when nobody here knows how to answer it. */
export function readRequest(method: string, params: unknown): WireRequest | null {
  if (!Object.hasOwn(requests, method)) return null;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- looked up just before
  const parsed = requests[method as RequestMethod].safeParse(params);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema was looked up by the same method
  return parsed.success ? ({ kind: method, params: parsed.data } as WireRequest) : null;
}
