import * as z from 'zod';
import { Attachment } from './attachment.js';
import { cutText } from './cut-text.js';
import { keysOf } from './keys.js';
import { PermissionMode } from './posture.js';
import { AnswersByQuestion } from './question.js';

const text = z.string().min(1);

/** What can be asked of a runner, by type. */
export const commandDefinitions = {
  message: { content: z.string(), attachments: z.array(Attachment).optional(), uuid: z.uuid().optional() },
  stop: {},
  interrupt: {},
  set_model: { model: text },
  set_permission_mode: { permissionMode: PermissionMode },
  set_max_thinking_tokens: { maxThinkingTokens: z.int().nonnegative() },
  get_supported_models: {},
  get_supported_commands: {},
  get_mcp_status: {},
  get_account_info: {},
  rewind_files: { checkpointUuid: text },
  user_question_response: {
    questionRequestId: text,
    answers: AnswersByQuestion,
    /** A person refuses to answer; only an MCP server hears the difference. */
    declined: z.boolean().optional(),
  },
  plan_approval_response: {
    planApprovalRequestId: text,
    planApproved: z.boolean(),
    planApprovalReason: z.string().optional(),
  },
  permission_response: {
    permissionRequestId: text,
    approved: z.boolean(),
    scope: z.enum(['once', 'thread']).optional(),
    updatedInput: z.record(z.string(), z.unknown()).optional(),
    message: z.string().optional(),
  },
  park: { requestId: text },
  /** `byPerson`: somebody closed the question; else nobody answered it. `endsTurn`: what asked is over, and does not go on. */
  withdraw: {
    requestId: text,
    reason: text,
    byPerson: z.boolean().optional(),
    endsTurn: z.boolean().optional(),
  },
  reconnect_mcp_server: { serverName: text },
  toggle_mcp_server: { serverName: text, serverEnabled: z.boolean() },
} as const satisfies Record<string, z.ZodRawShape>;

type Definitions = typeof commandDefinitions;
export type CommandType = keyof Definitions;

/** Something asked of a runner; `commandId` makes a repeat harmless in detached mode. */
export type Command<Type extends CommandType = CommandType> = {
  [T in Type]: { type: T; commandId?: string | undefined } & (keyof Definitions[T] extends never
    ? unknown
    : z.infer<z.ZodObject<Definitions[T]>>);
}[Type];

/** The schema of one command; unknown fields are ignored. */
export function commandSchema(type: CommandType): z.ZodObject {
  return z.object({ type: z.literal(type), commandId: z.string().optional(), ...commandDefinitions[type] });
}

export type CommandReading =
  | { readonly ok: true; readonly command: Command }
  | { readonly ok: false; readonly command: string | null; readonly error: string };

/** Reads a parsed line as a command, or says in a sentence what is wrong with it. */
export function readCommand(line: unknown): CommandReading {
  if (typeof line !== 'object' || line === null || Array.isArray(line)) {
    return { ok: false, command: null, error: 'A command must be a JSON object with a "type".' };
  }
  const type: unknown = 'type' in line ? line.type : undefined;
  if (typeof type !== 'string') {
    return { ok: false, command: null, error: 'A command must have a "type" that is a string.' };
  }
  if (!isCommandType(type)) {
    const known = keysOf(commandDefinitions).join(', ');
    return { ok: false, command: cutText(type, 100), error: `There is no such command. Known: ${known}.` };
  }
  const parsed = schemaOf(type).safeParse(line);
  if (!parsed.success) return { ok: false, command: type, error: sentenceOf(parsed.error) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema of this type has just accepted it
  return { ok: true, command: parsed.data as Command };
}

function isCommandType(type: string): type is CommandType {
  return Object.hasOwn(commandDefinitions, type);
}

function sentenceOf(error: z.ZodError): string {
  return error.issues
    .map((issue) => (issue.path.length > 0 ? `${issue.path.join('.')}: ${issue.message}` : issue.message))
    .join('; ');
}

const schemas = new Map<CommandType, z.ZodObject>();

function schemaOf(type: CommandType): z.ZodObject {
  const schema = schemas.get(type) ?? commandSchema(type);
  schemas.set(type, schema);
  return schema;
}
