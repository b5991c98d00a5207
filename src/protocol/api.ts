// The bodies of the HTTP API that are not a noun of their own elsewhere.
import * as z from 'zod';
import { UsualContainer } from './container.js';
import { Title } from './dispatch.js';
import { failureTable } from './failure.js';
import { DispatchId, PromptId, RunId, ThreadId, WorkerId } from './id.js';
import { keysOf } from './keys.js';
import { PermissionMode, PostureRequest, RuntimeName } from './posture.js';
import { PromptActor } from './prompt.js';
import { requestObject } from './request-object.js';
import { ResourceReport } from './resource-use.js';
import { Scope } from './scope.js';
import { WorkspaceScript } from './scripts-config.js';
import { StatusReport } from './status.js';
import { Usage } from './thread.js';
import { UserText } from './thread-item.js';
import { ThreadName } from './thread-name.js';
import { WorkspaceRequest } from './workspace.js';

const instant = z.iso.datetime();

/** An error as the API tells it (RFC 9457); `code` is stable, `detail` is a sentence. */
export const Problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(keysOf(failureTable)),
  /** Where the input is malformed. */
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof Problem>;

/** The body that makes a thread without work; with `resume` it adopts a session of the runtime's. */
export const ThreadRequest = requestObject({
  runtime: RuntimeName.default('claude'),
  workspace: WorkspaceRequest,
  posture: PostureRequest.default({}),
  title: Title.optional(),
  name: ThreadName.optional(),
  resume: z.string().min(1).optional(),
  fork: z.boolean().optional(),
});
export type ThreadRequest = z.infer<typeof ThreadRequest>;

/** What can be changed of a thread by the person whose it is. */
export const ThreadEdit = requestObject({
  name: ThreadName.nullable().describe('Another name; null takes it away.'),
});
export type ThreadEdit = z.infer<typeof ThreadEdit>;

/** Until when a thread is put off; nothing of it is stopped. */
export const SnoozeRequest = requestObject({
  until: z.iso.datetime().nullable().describe('Within a year; null takes it back.'),
});
export type SnoozeRequest = z.infer<typeof SnoozeRequest>;

/** What became of an item that was posted into a thread. */
export const Posted = z.object({
  /** As it will stand in the thread; `id` and `seq` are there once it has its place. */
  item: UserText.partial({ id: true, seq: true }),
  effect: z.enum(['answered', 'queued']),
  promptId: PromptId.optional(),
  dispatchId: DispatchId.optional(),
});
export type Posted = z.infer<typeof Posted>;

/** What a thread's workspace holds that its base does not. */
export const ThreadDiff = z.object({
  base: z.object({ commit: z.string(), why: z.string() }),
  files: z.array(
    z.object({
      path: z.string(),
      status: z.string(),
      added: z.int().nullable(),
      removed: z.int().nullable(),
    }),
  ),
  patch: z.string(),
  notes: z.array(z.string()),
});
export type ThreadDiff = z.infer<typeof ThreadDiff>;

/** One change of a thread's status. */
export const StatusChange = z.object({ threadId: ThreadId, status: StatusReport });
export type StatusChange = z.infer<typeof StatusChange>;

/** A file as a person reads it before they approve it. */
const ShownFile = z.object({
  path: z.string(),
  text: z.string(),
  problem: z.string().optional().describe('Why it was not read; then it cannot be approved.'),
});

/** The project's own files that may start programs or widen rights, and whether they were approved as they are. */
export const ProjectCodeReport = z.object({
  path: z.string(),
  files: z.array(ShownFile),
  digest: z.string(),
  approved: z.boolean(),
  setup: z
    .object({
      commands: z.array(WorkspaceScript),
      files: z.array(ShownFile),
      digest: z.string(),
      approved: z.boolean(),
    })
    .optional()
    .describe(
      'What would run in new worktrees of the project, where it names scripts; approved by its own digest.',
    ),
  skills: z
    .object({
      files: z.array(ShownFile),
      digest: z.string(),
      approved: z.boolean(),
    })
    .optional()
    .describe("The project's folder `skills/`, where it has one; approved by its own digest."),
});
export type ProjectCodeReport = z.infer<typeof ProjectCodeReport>;

/** A runtime as the worker's machine has it. */
export const RuntimeReport = z.object({
  name: RuntimeName,
  found: z.boolean(),
  version: z.string().optional(),
  missing: z.string().optional().describe('Where it was not found: what is missing, and what to do.'),
  capabilities: z.record(z.string(), z.unknown()),
});
export type RuntimeReport = z.infer<typeof RuntimeReport>;

export const WorkerReport = z.object({
  id: WorkerId,
  name: z.string(),
  startedAt: instant,
  heartbeatAt: instant,
  labels: z.array(z.string()).optional(),
  slots: z.int().optional().describe('How many agents may work there at the same time.'),
  underWay: z.int().optional().describe('How much of its work runs or waits for a person.'),
  drainingSince: instant.optional().describe('Since then it takes no new work.'),
});
export type WorkerReport = z.infer<typeof WorkerReport>;

/** What was used by one day, runtime, thread or status. */
export const UsageReport = z.object({
  key: z.string(),
  usage: Usage,
  resources: ResourceReport.optional().describe('Left out where nothing was measured.'),
});
export type UsageReport = z.infer<typeof UsageReport>;

export const Health = z.object({ ok: z.literal(true), version: z.string() });
export type Health = z.infer<typeof Health>;

/** Whether a worker can take work. */
export const Readiness = z.object({
  ready: z.boolean(),
  why: z
    .enum(['store', 'draining'])
    .optional()
    .describe('`store`: its store does not answer. `draining`: it takes no new work.'),
});
export type Readiness = z.infer<typeof Readiness>;

/** What the web console needs to know of its worker: whose browser it is, how long an answer can be undone, and the usual container. */
export const ConsoleSettings = z.object({
  actor: PromptActor,
  may: z.array(Scope).describe('What the caller may do; the console offers nothing else.'),
  undoSeconds: z.number(),
  container: UsualContainer.optional(),
});
export type ConsoleSettings = z.infer<typeof ConsoleSettings>;

/** Whose token a request came with, and what it may do. */
export const TokenIdentity = z.object({
  name: z.string(),
  scope: z.enum(['full', 'agent', 'limited']),
  may: z.array(Scope).describe('Everything that a person may do with it; none for a token of scope agent.'),
  approves: z
    .array(z.string())
    .optional()
    .describe('It approves only in threads whose first work has one of these labels; everywhere without.'),
  workspace: z.string().optional().describe('The folder that a token of scope agent may give work in.'),
});
export type TokenIdentity = z.infer<typeof TokenIdentity>;

export const SetModelRequest = requestObject({ model: z.string().min(1) });
export const SetPermissionModeRequest = requestObject({ permissionMode: PermissionMode });
export const SetThinkingBudgetRequest = requestObject({
  maxThinkingTokens: z.int().nonnegative().max(1_000_000).describe('0 turns thinking off.'),
});
export const RewindRequest = requestObject({ checkpointUuid: z.string().min(1) });
export const CancelPromptRequest = requestObject({ reason: z.string().min(1).optional() });

/** `worker.json` of a home: where its worker is to be found, and what it proves itself with. */
export const WorkerFile = z.object({
  url: z.url(),
  pid: z.int().positive(),
  startTime: z.string(),
  bootId: z.string(),
  version: z.string(),
  startedAt: instant,
  /** New with every start; an older worker writes none. */
  secret: z.string().min(43).optional(),
});
export type WorkerFile = z.infer<typeof WorkerFile>;

/** One step of a thread's status timeline. */
export const StatusStep = z.object({ threadId: ThreadId, report: StatusReport, at: instant });
export type StatusStep = z.infer<typeof StatusStep>;

/** An event of a thread as the API shows it; the rest of it depends on its type. */
export const ThreadEvent = z.looseObject({
  seq: z.int().positive(),
  type: z.string(),
  timestamp: instant,
  /** Missing where the worker itself says something. */
  runId: RunId.optional(),
});
export type ThreadEvent = z.infer<typeof ThreadEvent>;

export const ApproveProjectCodeRequest = requestObject({
  path: z.string().min(1),
  digest: z.string().min(1),
});
export const ShutdownRequest = requestObject({ stopAgents: z.boolean().optional() });
export const LoginRequest = requestObject({ code: z.string().min(1).max(200) });

/** A link that signs a browser in. */
export const LoginLink = z.object({
  url: z.url(),
  publicUrl: z
    .url()
    .optional()
    .describe('The same link for other machines, where the worker was told its address there.'),
});
export type LoginLink = z.infer<typeof LoginLink>;

/** As whom a browser is signed in, by the name of the token that made the link, and the secret that shows it. */
export const SignedIn = z.object({ name: z.string(), secret: z.string() });
export type SignedIn = z.infer<typeof SignedIn>;
