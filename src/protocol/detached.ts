import * as z from 'zod';
import { RunId } from './id.js';
import { Posture } from './posture.js';
import { ProcessIdentity } from './run.js';

/** Version of the frames between worker and runner; each side speaks to one version older or newer. */
export const detachedProtocol = 3;
/** Older runners take the comments of a thread for a command that they do not know. */
export const commentsSince = 2;
/** Older runners go on without a worker for as long as they like. */
export const deadlineSince = 3;

const seq = z.int().nonnegative();
const nonce = z.string().min(1).max(100);
const proof = z.string().max(200);

/** What a detached runner says on connect. */
export const HelloFrame = z.object({
  type: z.literal('hello'),
  protocol: z.int().positive(),
  runId: RunId,
  ...ProcessIdentity.shape,
  lastRunSeq: seq,
  /** What the worker's proof must be about. */
  nonce,
});
export type HelloFrame = z.infer<typeof HelloFrame>;

/** What a worker says next: from where it wants the events, which worker it is, and that it knows the run's secret. */
export const AttachFrame = z.object({
  type: z.literal('attach'),
  afterRunSeq: seq,
  epoch: z.int().nonnegative(),
  live: z.boolean().optional(),
  /** The process that attaches; it holds the file open that is named after the greeting. */
  pid: z.int().positive(),
  /** What the runner's proof must be about. */
  nonce,
  proof,
});
export type AttachFrame = z.infer<typeof AttachFrame>;

/** The runner's answer, before any event: it knows the secret too. */
export const AttachedFrame = z.object({ type: z.literal('attached'), proof });

/** The runner's answer to a worker that it does not let in, and why. */
export const RefusedFrame = z.object({ type: z.literal('refused'), error: z.string() });

/** The file that an attaching worker holds open, so that the runner sees which process it is. */
export function holdFileOf(socket: string, { nonce: greeting }: { readonly nonce: string }): string {
  return `${socket}.${greeting}`;
}

/** The worker has committed everything up to here; the spool may be trimmed. */
export const AckFrame = z.object({ type: z.literal('ack'), runSeq: seq });
export type AckFrame = z.infer<typeof AckFrame>;

/** The agent may go on until then, in milliseconds since the machine started, sleep included. */
export const DeadlineFrame = z.object({ type: z.literal('deadline'), until: z.number().nonnegative() });

/** What a spare runner says on connect: it has everything loaded and belongs to nobody yet. */
export const SpareFrame = z.object({
  type: z.literal('spare'),
  protocol: z.int().positive(),
  ...ProcessIdentity.shape,
  nonce,
});
export type SpareFrame = z.infer<typeof SpareFrame>;

/** Makes a waiting spare runner into a run; `args` and `env` are those of a cold start, so that both start the same. */
export const LaunchFrame = z.object({
  type: z.literal('launch'),
  runId: RunId,
  spool: z.string(),
  posture: Posture,
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()).optional(),
  answers: z.array(z.unknown()).optional(),
  grants: z.array(z.unknown()).optional(),
  proof,
});
export type LaunchFrame = z.infer<typeof LaunchFrame>;
