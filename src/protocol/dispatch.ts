import * as z from 'zod';
import { Attachment, AttachmentRequest } from './attachment.js';
import { Budget, BudgetRequest } from './budget.js';
import { DispatchId, RunId, ThreadId } from './id.js';
import { Outcome } from './outcome.js';
import { Posture, PostureRequest, RuntimeName } from './posture.js';
import { UnansweredRules } from './prompt.js';
import { requestObject } from './request-object.js';
import { ThreadName } from './thread-name.js';
import { WorkerName } from './worker-name.js';
import { WorkspaceRequest } from './workspace.js';

const instant = z.iso.datetime();

/** What a person calls a thread or a piece of work. */
export const Title = z.string().max(500);

/** What becomes of work in a worktree that succeeded; a repository's own is pushed unless it says otherwise. */
export const OnSuccess = z.enum(['keep', 'merge', 'pr', 'push']);
export type OnSuccess = z.infer<typeof OnSuccess>;

export const DispatchState = z.enum(['queued', 'running', 'waiting', 'ended']);
export type DispatchState = z.infer<typeof DispatchState>;

/** One try of a dispatch; it may need several runs. */
export const Attempt = z.object({
  runIds: z.array(RunId),
  startedAt: instant,
  endedAt: instant.optional(),
  outcome: Outcome.optional(),
});
export type Attempt = z.infer<typeof Attempt>;

/** What follows when work has failed for good. */
export const OnFailure = z.enum(['end', 'escalate']);
export type OnFailure = z.infer<typeof OnFailure>;

/** A piece of work as it was asked for and is kept; a newer worker may have kept more. */
export const RequestedWork = z.object({
  text: z.string().min(1),
  runtime: RuntimeName.optional(),
  workspace: WorkspaceRequest.optional(),
  thread: ThreadId.optional(),
  on: WorkerName.optional().describe(
    'The worker of a new thread, by name or id, or a label: of those that have it, the one with the most free slots.',
  ),
  permissions: z.enum(['approval', 'autonomous']).optional(),
  title: Title.optional(),
  /** Of the new thread. */
  name: ThreadName.optional(),
  priority: z.int().optional(),
  retries: z.int().nonnegative().optional(),
  timeoutSeconds: z.number().positive().optional(),
  verify: z.string().optional(),
  onSuccess: OnSuccess.optional().describe(
    'For work in a worktree: merge it into the branch that it came from, push its branch (`push`, which is usual for work in a repository), push it and open a pull request (`pr`), or keep it for a person.',
  ),
  verifyMerged: z
    .string()
    .min(1)
    .optional()
    .describe(
      'With onSuccess merge: a command that must succeed in a fresh checkout of the merged tree first.',
    ),
  onFailure: OnFailure.optional().describe(
    'What follows when the last try has failed, or the work is blocked: nothing (`end`), or a prompt with a report (`escalate`).',
  ),
  budget: Budget.optional().describe(
    'What this work may spend; once it is used up, a person is asked before the next turn.',
  ),
  threadBudget: Budget.optional().describe('What its new thread may spend, over all of its work.'),
  notBefore: instant.optional(),
  noInput: z.boolean().optional(),
  unanswered: UnansweredRules.optional(),
  labels: z.record(z.string().max(100), z.string().max(1000)).optional(),
  attachments: z.array(Attachment).optional(),
  posture: Posture.optional(),
});

/** The body that asks for a piece of work; it names a thread, or a workspace for a new one. */
export const DispatchRequest = requestObject({
  ...RequestedWork.shape,
  attachments: z.array(AttachmentRequest).optional(),
  budget: BudgetRequest.optional(),
  threadBudget: BudgetRequest.optional(),
  posture: PostureRequest.optional(),
}).refine((request) => request.thread !== undefined || request.workspace !== undefined, {
  path: ['workspace'],
  message: 'Name a workspace, or a thread to continue.',
});
export type DispatchRequest = z.infer<typeof DispatchRequest>;

/** What can be changed of work that has not begun. */
export const DispatchEdit = z.strictObject({ text: z.string().min(1) });
export type DispatchEdit = z.infer<typeof DispatchEdit>;

/** One piece of work given to a thread, with an outcome once it has ended. */
export const Dispatch = z.object({
  id: DispatchId,
  threadId: ThreadId,
  text: z.string(),
  /** Who asked for it. */
  actor: z.string(),
  title: z.string().optional(),
  state: DispatchState,
  priority: z.int(),
  attempts: z.array(Attempt),
  retryOf: DispatchId.optional(),
  parent: DispatchId.optional().describe('The work whose agent asked for this.'),
  notBefore: instant.optional(),
  why: z.string().optional(),
  waitsFor: z
    .enum(['quota'])
    .optional()
    .describe('Queued until `notBefore`, because the usage limit of its account was reached.'),
  labels: z.record(z.string(), z.string()).optional(),
  budget: Budget.optional().describe('What it may spend, with what people have added.'),
  outcome: Outcome.optional(),
  onSuccess: OnSuccess.optional().describe(
    'What becomes of it once it has succeeded, where that was asked for.',
  ),
  createdAt: instant,
  endedAt: instant.optional(),
});
export type Dispatch = z.infer<typeof Dispatch>;
