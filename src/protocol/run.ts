import * as z from 'zod';
import { RunId, ThreadId } from './id.js';
import { Posture, RuntimeName } from './posture.js';

/** Which process this is, on this boot of this machine; a pid alone is reused. */
export const ProcessIdentity = z.object({
  pid: z.int().positive(),
  startTime: z.string(),
  bootId: z.string(),
});
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

/** How an agent's process ended, as far as anyone saw it. */
export const AgentExit = z.object({
  exitCode: z.int().nullable(),
  signal: z.string().nullable(),
  oom: z.boolean(),
});
export type AgentExit = z.infer<typeof AgentExit>;

/** One life of one runner process. */
export const Run = z.object({
  id: RunId,
  threadId: ThreadId,
  runtime: RuntimeName,
  posture: Posture,
  process: ProcessIdentity.optional(),
  sessionId: z.string().optional(),
  lastRunSeq: z.int().nonnegative(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().optional(),
  exit: AgentExit.optional(),
});
export type Run = z.infer<typeof Run>;
