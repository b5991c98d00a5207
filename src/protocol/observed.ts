import * as z from 'zod';
import { RuntimeName } from './posture.js';
import { requestObject } from './request-object.js';
import { Confidence, StatusReport } from './status.js';

/** Names an observed session for as long as it is observed. */
export const ObservedId = z.string().regex(/^[\w-]{1,100}$/);

const facts = {
  runtime: RuntimeName,
  title: z.string().max(300),
  workspace: z.string().max(4096).optional().describe('The folder that it was started in.'),
  pid: z.int().positive().optional(),
  sessionId: z.string().min(1).max(200).optional().describe('What `handraise adopt` takes.'),
};

/** An agent that somebody started by hand, and what it is doing. It has no thread, and its costs are not counted. */
export const ObservedSession = z.object({
  id: ObservedId,
  ...facts,
  status: StatusReport,
  changedAt: z.iso.datetime().describe('Since when it has this status.'),
});
export type ObservedSession = z.infer<typeof ObservedSession>;

export const ObservedList = z.object({ sessions: z.array(ObservedSession) });
export type ObservedList = z.infer<typeof ObservedList>;

/** What an observer says of a session; it is forgotten unless it is said again within 20 seconds. */
export const ObservedReport = requestObject({
  ...facts,
  state: z.enum(['initializing', 'idle', 'busy', 'question', 'crashed', 'stopped', 'unknown']),
  prompt: z.string().max(1000).optional().describe('What it asks, with `question`.'),
  exitCode: z.int().nullable().optional().describe('With `crashed`.'),
  signal: z.string().max(20).optional().describe('With `crashed`.'),
  why: z.string().max(300),
  source: z.string().max(100),
  confidence: Confidence,
});
export type ObservedReport = z.infer<typeof ObservedReport>;
