import * as z from 'zod';
import * as api from '../protocol/api.js';
import { AttachmentRequest } from '../protocol/attachment.js';
import { BackupReport } from '../protocol/backup.js';
import { ChangedPath, ChangePage, Hunk } from '../protocol/changes.js';
import { PruneReport } from '../protocol/cleanup.js';
import { Attempt, Dispatch, DispatchRequest } from '../protocol/dispatch.js';
import { UserItem } from '../protocol/item.js';
import { Landing } from '../protocol/landing.js';
import { Outcome } from '../protocol/outcome.js';
import { Pipeline, PipelineDetail, PipelinePhase, PipelineRequest } from '../protocol/pipeline.js';
import { McpServer, PostureRequest } from '../protocol/posture.js';
import { AnswerRequest, Prompt, QuestionAnswer, QuestionAnswerRequest } from '../protocol/prompt.js';
import { Question } from '../protocol/question.js';
import { ReviewComment } from '../protocol/review-comment.js';
import { Schedule, ScheduleRequest, ScheduleRun } from '../protocol/schedule.js';
import { StatusReport } from '../protocol/status.js';
import { Thread, Usage } from '../protocol/thread.js';
import { ThreadItem } from '../protocol/thread-item.js';
import { ThreadMatch } from '../protocol/thread-query.js';
import { Workspace } from '../protocol/workspace.js';

/** The schemas that have a name in the OpenAPI document; wherever one is used, the document refers to it. */
const named: Record<string, z.ZodType> = {
  AnswerRequest,
  AttachmentRequest,
  Attempt,
  ChangedPath,
  ChangePage,
  Dispatch,
  DispatchRequest,
  Health: api.Health,
  Hunk,
  Landing,
  LoginLink: api.LoginLink,
  McpServer,
  Outcome,
  Posted: api.Posted,
  PostureRequest,
  BackupReport,
  PruneReport,
  Problem: api.Problem,
  ProjectCodeReport: api.ProjectCodeReport,
  Prompt,
  Question,
  QuestionAnswer,
  QuestionAnswerRequest,
  ReviewComment,
  RuntimeReport: api.RuntimeReport,
  Pipeline,
  PipelineDetail,
  PipelinePhase,
  PipelineRequest,
  Schedule,
  ScheduleRequest,
  ScheduleRun,
  SignedIn: api.SignedIn,
  StatusChange: api.StatusChange,
  StatusReport,
  StatusStep: api.StatusStep,
  Thread,
  ThreadDiff: api.ThreadDiff,
  ThreadEvent: api.ThreadEvent,
  ThreadItem,
  ThreadMatch,
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
