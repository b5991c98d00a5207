import * as z from 'zod';
import * as api from '../protocol/api.js';
import { Attachment } from '../protocol/attachment.js';
import { Attempt, Dispatch, DispatchRequest } from '../protocol/dispatch.js';
import { PendingPromptItem, ResolvedPromptItem, UserItem } from '../protocol/item.js';
import { Outcome } from '../protocol/outcome.js';
import { McpServer, Posture } from '../protocol/posture.js';
import { Answer, Prompt, QuestionAnswer } from '../protocol/prompt.js';
import { Question } from '../protocol/question.js';
import { StatusReport } from '../protocol/status.js';
import { Thread, Usage } from '../protocol/thread.js';
import { ThreadItem } from '../protocol/thread-item.js';
import { Workspace } from '../protocol/workspace.js';

/** The schemas that have a name in the OpenAPI document; wherever one is used, the document refers to it. */
const named: Record<string, z.ZodType> = {
  Answer,
  Attachment,
  Attempt,
  Dispatch,
  DispatchRequest,
  Health: api.Health,
  LoginLink: api.LoginLink,
  McpServer,
  Outcome,
  PendingPromptItem,
  Posted: api.Posted,
  Posture,
  Problem: api.Problem,
  ProjectCodeReport: api.ProjectCodeReport,
  Prompt,
  Question,
  QuestionAnswer,
  ResolvedPromptItem,
  RuntimeReport: api.RuntimeReport,
  SignedIn: api.SignedIn,
  StatusChange: api.StatusChange,
  StatusReport,
  StatusStep: api.StatusStep,
  Thread,
  ThreadDiff: api.ThreadDiff,
  ThreadEvent: api.ThreadEvent,
  ThreadItem,
  ThreadRequest: api.ThreadRequest,
  Usage,
  UsageReport: api.UsageReport,
  UserItem,
  WorkerReport: api.WorkerReport,
  Workspace,
};

const registry = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });

/** Every named schema, as JSON Schema. */
export function componentSchemas(): Record<string, object> {
  const { schemas } = z.toJSONSchema(registry, { ...options, uri: (id) => `${place}${id}` });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, cleaned(schema)]));
}

/** Any schema of ours as JSON Schema, with references to the named ones. */
export function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const name = registry.get(schema)?.id;
  if (name !== undefined) return { $ref: `${place}${name}` };
  return cleaned(z.toJSONSchema(schema, { ...options, metadata: registry }));
}

const place = '#/components/schemas/';
// As it is sent: unknown fields are allowed, so that a newer worker may say more.
const options = {
  io: 'input',
  target: 'draft-2020-12',
  override: ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    // What the format and the type say already; a reader has no use for it.
    if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  },
} as const;

// Names of the JSON Schema document, which have no place inside of another document.
const outer = new Set(['$schema', '$defs', '$id', 'id']);

function cleaned(schema: object): Record<string, unknown> {
  const rest = Object.fromEntries(Object.entries(schema).filter(([key]) => !outer.has(key)));
  const text = JSON.stringify(rest).replaceAll('"#/$defs/', `"${place}`);
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}
