import * as z from 'zod';
import { failureTable } from './failure.js';
import { keysOf } from './keys.js';
import { PermissionMode, RuntimeName } from './posture.js';
import { SettledReason } from './prompt.js';
import { Question } from './question.js';
import { ResourcesUsed } from './resource-use.js';
import { CommentSeverity } from './review-comment.js';
import { AgentExit } from './run.js';
import { StatusEvidence } from './status.js';
import { turnResultShape } from './turn-result.js';

/** A durable event is journalled and replayed; a live one reaches only those who listen now. */
export type Delivery = 'durable' | 'live';

interface EventDefinition {
  readonly delivery: Delivery;
  readonly shape: z.ZodRawShape;
}

const durable = <Shape extends z.ZodRawShape>(shape: Shape) => ({ delivery: 'durable', shape }) as const;
const live = <Shape extends z.ZodRawShape>(shape: Shape) => ({ delivery: 'live', shape }) as const;

const text = z.string();
const count = z.int().nonnegative();
const json = z.record(z.string(), z.unknown());
const agent = { agentId: text.optional() };
/** Until when whoever asks is expected to wait; an MCP server gives up by itself. */
const waiting = { waitsUntil: z.iso.datetime().optional() };

/** Every fact a runner reports, by type. */
export const eventDefinitions = {
  // lifecycle
  ready: durable({
    conversationId: text,
    cwd: text,
    resuming: z.boolean(),
    model: text.nullable(),
    runtime: RuntimeName,
  }),
  init: durable({
    sessionId: text,
    model: text,
    tools: z.array(text),
    mcpServers: z.array(z.object({ name: text, status: text })),
    permissionMode: text,
    budgetConfig: z.object({
      maxBudgetUsd: z.number().optional(),
      maxTurns: z.number().optional(),
      maxThinkingTokens: z.number().optional(),
    }),
    runtimeVersion: text.optional(),
    commands: z.array(text).optional(),
    agents: z.array(text).optional(),
    skills: z.array(text).optional(),
    betas: z.array(text).optional(),
  }),
  session_started: durable({
    sessionId: text,
    cwd: text,
    /** Whether an agent that waited ready was taken; left out where none waited. */
    prewarmed: z.boolean().optional(),
  }),
  session_ended: durable({ sessionId: text, reason: text }),
  session_id_update: durable({ sessionId: text }),
  turn_complete: durable({ sessionId: text }),
  complete: durable({ sessionId: text.nullable() }),

  // content
  assistant_text: durable({ content: text }),
  text_delta: live({ content: text }),
  thinking_start: durable({}),
  thinking_delta: live({ content: text }),
  thinking: durable({ content: text }),

  // tools
  tool_start: durable({ id: text, tool: text, params: json, parentToolUseId: text.optional(), ...agent }),
  tool_end: durable({
    id: text,
    tool: text,
    success: z.boolean(),
    summary: text,
    duration: z.number(),
    /** What it ran with, where that is not what the agent had proposed. */
    ranWith: json.optional(),
    /** How many characters the tool said, where `summary` is only their beginning. */
    outputLength: count.optional(),
    /** How many of them the worker keeps beside the event; missing where it keeps none. */
    outputKept: count.optional(),
    /** From a detached runner to its worker only, which takes it out and keeps it. */
    output: text.optional(),
    /** The call did not end by itself: its process was gone. */
    cutOff: z.boolean().optional(),
    ...agent,
  }),
  tool_progress: live({ toolUseId: text, toolName: text, elapsedTimeSeconds: z.number() }),
  hook_pre_tool: durable({ toolUseId: text, tool: text, ...agent }),
  hook_post_tool: durable({ toolUseId: text, tool: text, duration: z.number(), ...agent }),
  hook_tool_failure: durable({ toolUseId: text, tool: text, error: text, duration: z.number(), ...agent }),

  // sub-agents
  subagent_started: durable({ agentId: text, agentType: text, parentToolUseId: text.optional() }),
  subagent_stopped: durable({ agentId: text }),
  subagent_output: durable({ agentId: text, agentOutput: text }),

  // interaction
  user_question_request: durable({
    requestId: text,
    questions: z.array(Question),
    toolUseId: text,
    ...waiting,
    ...agent,
  }),
  plan_approval_request: durable({ requestId: text, planContent: text, toolUseId: text }),
  permission_request: durable({
    requestId: text,
    tool: text,
    input: json,
    toolUseId: text,
    /** Why the agent wants it, in its own words; no part of what is approved. */
    reason: text.optional(),
    suggestions: z.array(z.unknown()).optional(),
    /** The MCP server that asks, where it is no action of the agent. */
    server: text.optional(),
    /** The tool of that server inside whose call it asks, where it is known. */
    serverTool: text.optional(),
    /** No policy may decide it: a call that was cut off, and may do twice what it does, or one during which somebody has to be there. */
    onlyPerson: z.boolean().optional(),
    ...waiting,
    ...agent,
  }),
  request_withdrawn: durable({ requestId: text, reason: SettledReason }),
  needs_input: durable({
    question: text.optional(),
    options: z.array(text).optional(),
    context: text.optional(),
    partialState: z.unknown().optional(),
    error: text.optional(),
  }),
  todo_update: durable({
    todos: z.array(
      z.object({ id: text.optional(), content: text, status: text, activeForm: text.optional() }),
    ),
  }),
  agent_notification: durable({ title: text, message: text, notificationType: text }),
  agent_stop: durable({}),
  parked: durable({ requestId: text, toolUseId: text, how: z.enum(['deferred', 'interrupted']) }),

  /** The agent has commented on a line, by its own tool; under a worker only, which keeps it with the thread. */
  review_comment_added: durable({
    id: z.uuid(),
    file: text,
    line: count,
    body: text,
    severity: CommentSeverity.optional(),
  }),

  // results
  result: durable(turnResultShape),
  context_usage: durable({
    inputTokens: count,
    outputTokens: count,
    cacheReadInputTokens: count,
    cacheCreationInputTokens: count,
  }),
  context_window_size: durable({ contextWindow: count }),
  compact_boundary: durable({ trigger: text, preTokens: count, postTokens: count.optional() }),

  // checkpoints
  checkpoint_created: durable({ checkpointUuid: text, messageIndex: count, isResult: z.boolean() }),
  files_rewound: durable({
    checkpointUuid: text,
    success: z.boolean(),
    error: text.optional(),
    notRestored: z.array(text).optional(),
  }),

  // changes and replies
  model_changed: durable({ model: text }),
  permission_mode_changed: durable({ mode: PermissionMode, source: z.enum(['command', 'plan', 'runtime']) }),
  supported_models: durable({ models: z.array(z.unknown()) }),
  supported_commands: durable({ commands: z.array(z.unknown()) }),
  mcp_status: durable({ servers: z.array(z.unknown()) }),
  account_info: durable({ info: json }),
  command_accepted: durable({ commandId: text, command: text }),
  answer_delivered: durable({ commandId: text, requestId: text }),

  // errors
  /** `refusal`: nothing was begun, because the launch cannot work as it is. */
  error: durable({ message: text, refusal: z.enum(keysOf(failureTable)).optional() }),
  auth_error: durable({ message: text }),
  interrupted: durable({}),
  warning: durable({ message: text }),
  command_error: durable({
    command: text.nullable(),
    error: text,
    /** Nothing is wrong with it: this runner is ending, and the next one can take it. */
    later: z.boolean().optional(),
    requestId: text.optional(),
    commandId: text.optional(),
  }),
  json_parse_error: durable({ message: text, line: text }),
  shutdown: durable({ reason: text }),
  unrecognized: durable({ raw: z.unknown() }),

  // facts for the worker
  status_evidence: durable({ ...StatusEvidence.shape, used: ResourcesUsed.optional() }),
  resources_used: durable({ used: ResourcesUsed }),
  background_tasks: durable({
    open: z.array(z.object({ id: text, kind: text, description: text.optional() })),
  }),
  agent_exited: durable(AgentExit.shape),
} as const satisfies Record<string, EventDefinition>;

type Definitions = typeof eventDefinitions;
export type EventType = keyof Definitions;

/** An event without fields would infer as a record of never, which nothing can be. */
type Fields<Shape extends z.ZodRawShape> = keyof Shape extends never ? unknown : z.infer<z.ZodObject<Shape>>;

/** What happened, before the runner has put time and number on it. */
export type EventBody<Type extends EventType = EventType> = {
  [T in Type]: { type: T } & Fields<Definitions[T]['shape']>;
}[Type];

/** A fact on the wire; `runSeq` numbers the durable ones of a detached runner. */
export type Event<Type extends EventType = EventType> = EventBody<Type> & {
  timestamp: string;
  runSeq?: number;
};

const schemas = new Map<EventType, z.ZodObject>();

/** The schema of one event; kept, because zod compiles a parser for each one that it is given. */
export function eventSchema(type: EventType): z.ZodObject {
  const schema =
    schemas.get(type) ??
    z.object({
      type: z.literal(type),
      timestamp: z.iso.datetime(),
      runSeq: z.int().positive().optional(),
      ...eventDefinitions[type].shape,
    });
  schemas.set(type, schema);
  return schema;
}
