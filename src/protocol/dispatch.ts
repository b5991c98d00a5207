import * as z from 'zod';
import { Attachment } from './attachment.js';
import { DispatchId, RunId, ThreadId } from './id.js';
import { Outcome } from './outcome.js';
import { Posture, RuntimeName } from './posture.js';
import { UnansweredRules } from './prompt.js';
import { Workspace } from './workspace.js';

const instant = z.iso.datetime();

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

/** The body that asks for a piece of work; it names a thread, or a workspace for a new one. */
export const DispatchRequest = z
  .strictObject({
    text: z.string().min(1),
    runtime: RuntimeName.optional(),
    workspace: Workspace.optional(),
    thread: ThreadId.optional(),
    permissions: z.enum(['approval', 'autonomous']).optional(),
    title: z.string().optional(),
    priority: z.int().optional(),
    retries: z.int().nonnegative().optional(),
    timeoutSeconds: z.number().positive().optional(),
    verify: z.string().optional(),
    budgetUsd: z.number().positive().optional(),
    notBefore: instant.optional(),
    noInput: z.boolean().optional(),
    unanswered: UnansweredRules.optional(),
    labels: z.record(z.string(), z.string()).optional(),
    attachments: z.array(Attachment).optional(),
    posture: Posture.optional(),
  })
  .refine((request) => request.thread !== undefined || request.workspace !== undefined, {
    path: ['workspace'],
    message: 'Without a thread, a workspace is required.',
  });
export type DispatchRequest = z.infer<typeof DispatchRequest>;

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
  notBefore: instant.optional(),
  why: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  outcome: Outcome.optional(),
  createdAt: instant,
  endedAt: instant.optional(),
});
export type Dispatch = z.infer<typeof Dispatch>;
