import * as z from 'zod';
import { ThreadGrant } from '../domain/prompts/thread-grant.js';
import { WorkOrigin } from '../protocol/changes.js';
import { Posture } from '../protocol/posture.js';
import { Thread } from '../protocol/thread.js';

/** What the first run of a thread is launched with; later runs keep the posture of the one before. */
const ThreadLaunch = z.object({
  permissions: z.enum(['approval', 'autonomous']),
  posture: Posture,
  /** A session of the runtime's to adopt. */
  resume: z.string().optional(),
  fork: z.boolean().optional(),
});

/** A thread with what only the host needs to know about it. */
export const StoredThread = Thread.extend({
  launch: ThreadLaunch,
  /** Approvals that hold for the whole of it. */
  grants: z.array(ThreadGrant),
  /** Where its work began; missing before its first run, and outside of a repository. */
  origin: WorkOrigin.optional(),
});
export type StoredThread = z.infer<typeof StoredThread>;

/** A thread as it begins: without events, usage, work and approvals. */
export type NewThread = Omit<StoredThread, 'lastSeq' | 'usage' | 'lastDispatch' | 'grants' | 'origin'>;
