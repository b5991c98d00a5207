import * as z from 'zod';
import { RunId } from './id.js';
import { Posture } from './posture.js';
import { ProcessIdentity } from './run.js';

/** Version of the frames between worker and runner; each side speaks to one version older or newer. */
export const detachedProtocol = 1;

const seq = z.int().nonnegative();

/** What a detached runner says on connect. */
export const HelloFrame = z.object({
  type: z.literal('hello'),
  protocol: z.int().positive(),
  runId: RunId,
  ...ProcessIdentity.shape,
  lastRunSeq: seq,
});
export type HelloFrame = z.infer<typeof HelloFrame>;

/** What a worker says next: from where it wants the events, and which worker it is. */
export const AttachFrame = z.object({
  type: z.literal('attach'),
  afterRunSeq: seq,
  epoch: z.int().nonnegative(),
  live: z.boolean().optional(),
});
export type AttachFrame = z.infer<typeof AttachFrame>;

/** The worker has committed everything up to here; the spool may be trimmed. */
export const AckFrame = z.object({ type: z.literal('ack'), runSeq: seq });
export type AckFrame = z.infer<typeof AckFrame>;

/** What a spare runner says on connect: it has everything loaded and belongs to nobody yet. */
export const SpareFrame = z.object({
  type: z.literal('spare'),
  protocol: z.int().positive(),
  ...ProcessIdentity.shape,
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
});
export type LaunchFrame = z.infer<typeof LaunchFrame>;
