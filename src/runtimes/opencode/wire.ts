import * as z from 'zod';

// What OpenCode's server says, read loosely: fields that are not used here may change as they like.

const text = z.string();
const record = z.record(z.string(), z.unknown());

const Tokens = z.looseObject({
  input: z.number(),
  output: z.number(),
  reasoning: z.number().optional(),
  cache: z.looseObject({ read: z.number().optional(), write: z.number().optional() }).optional(),
});
export type OpencodeTokens = z.infer<typeof Tokens>;

const WireSessionError = z.looseObject({
  name: text.optional(),
  data: z.looseObject({ message: text.optional(), statusCode: z.number().optional() }).optional(),
});
export type WireSessionError = z.infer<typeof WireSessionError>;

/** The model of a message: a user's holds it as one object, an assistant's in two fields. */
const Message = z.looseObject({
  id: text,
  role: text,
  model: z.looseObject({ providerID: text, modelID: text }).optional(),
  error: WireSessionError.optional(),
});

const ToolState = z.looseObject({
  status: text,
  input: record.optional(),
  output: text.optional(),
  error: text.optional(),
  metadata: z.looseObject({ exit: z.number().nullable().optional(), sessionId: text.optional() }).optional(),
});
export type WireToolState = z.infer<typeof ToolState>;

/** Something in a message; which fields it has depends on its type. */
const Part = z.looseObject({
  id: text,
  type: text,
  messageID: text,
  sessionID: text,
  text: text.optional(),
  time: z.looseObject({ end: z.number().optional() }).optional(),
  tool: text.optional(),
  callID: text.optional(),
  state: ToolState.optional(),
  tokens: Tokens.optional(),
  cost: z.number().optional(),
});
export type WirePart = z.infer<typeof Part>;

const Question = z.looseObject({
  question: text,
  header: text.optional(),
  multiple: z.boolean().optional(),
  options: z.array(z.looseObject({ label: text, description: text.optional() })),
});
export type WireQuestion = z.infer<typeof Question>;

const inSession = { sessionID: text };
const call = z.looseObject({ messageID: text, callID: text }).optional();

const PermissionAsked = z.looseObject({
  id: text,
  ...inSession,
  permission: text,
  patterns: z.array(text),
  metadata: record.optional(),
  tool: call,
});
export type WirePermission = z.infer<typeof PermissionAsked>;

const QuestionAsked = z.looseObject({
  id: text,
  ...inSession,
  questions: z.array(Question),
  tool: call,
});
export type WireQuestions = z.infer<typeof QuestionAsked>;

const replied = z.looseObject({ ...inSession, requestID: text, reply: text.optional() });
export type WireReplied = z.infer<typeof replied>;

const events = {
  'server.connected': z.looseObject({}),
  'session.created': z.looseObject({
    ...inSession,
    info: z.looseObject({ id: text, parentID: text.optional(), agent: text.optional() }),
  }),
  'session.status': z.looseObject({
    ...inSession,
    status: z.looseObject({
      type: text,
      message: text.optional(),
      attempt: z.number().optional(),
      next: z.number().optional(),
    }),
  }),
  'session.idle': z.looseObject(inSession),
  'session.error': z.looseObject({ sessionID: text.optional(), error: WireSessionError.optional() }),
  'session.compacted': z.looseObject(inSession),
  'message.updated': z.looseObject({ ...inSession, info: Message }),
  'message.part.updated': z.looseObject({ part: Part }),
  'message.part.delta': z.looseObject({
    ...inSession,
    messageID: text,
    partID: text,
    field: text,
    delta: text,
  }),
  'permission.asked': PermissionAsked,
  'permission.replied': replied,
  'question.asked': QuestionAsked,
  'question.replied': replied,
  'question.rejected': replied,
  'todo.updated': z.looseObject({
    ...inSession,
    todos: z.array(z.looseObject({ content: text, status: text })),
  }),
} as const;

type Events = typeof events;
type EventName = keyof Events;

/** An event that means something to us, one that does not, or one that nobody here has heard of. */
export type WireEvent =
  | { [E in EventName]: { readonly kind: E; readonly properties: z.infer<Events[E]> } }[EventName]
  | { readonly kind: 'ignored' }
  | { readonly kind: 'unrecognized'; readonly raw: unknown };

/** Said besides, and no news: it repeats other events, or speaks of what nobody here asked for. */
const ignored = [
  'account.',
  'catalog.',
  'command.',
  'file.',
  'global.',
  'ide.',
  'installation.',
  'integration.',
  'lsp.',
  'mcp.',
  'message.part.removed',
  'message.removed',
  'models-dev.',
  'plugin.',
  'project.',
  'pty.',
  'reference.',
  'server.heartbeat',
  'server.instance.',
  'session.deleted',
  'session.diff',
  'session.next.',
  'session.updated',
  'skill.',
  'tui.',
  'vcs.',
  'workspace.',
  'worktree.',
];

const Envelope = z.looseObject({ type: text, properties: z.unknown().optional() });

export function readEvent(raw: unknown): WireEvent {
  const envelope = Envelope.safeParse(raw);
  if (!envelope.success) return { kind: 'unrecognized', raw };
  const { type, properties } = envelope.data;
  if (isKnown(type)) {
    const parsed = events[type].safeParse(properties);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema was looked up by the same type
    if (parsed.success) return { kind: type, properties: parsed.data } as WireEvent;
    return { kind: 'unrecognized', raw };
  }
  return ignored.some((name) => type.startsWith(name)) ? { kind: 'ignored' } : { kind: 'unrecognized', raw };
}

function isKnown(type: string): type is EventName {
  return Object.hasOwn(events, type);
}

/** A session that was made, forked or found. */
export const WireSession = z.looseObject({
  id: text,
  permission: z.array(record).optional(),
});

export const WireOpen = z.array(z.looseObject({ id: text, ...inSession }));

export const WireHealth = z.looseObject({ version: text.optional() });

export const WireProviders = z.looseObject({
  providers: z.array(
    z.looseObject({
      id: text,
      models: z.record(text, z.looseObject({ name: text.optional() })),
    }),
  ),
});

export const WireServers = z.record(text, z.looseObject({ status: text, error: text.optional() }));

export const WireStatuses = z.record(text, z.looseObject({ type: text }));
