import * as z from 'zod';
import { ThreadGrant } from '../domain/prompts/thread-grant.js';
import { WorkOrigin } from '../protocol/changes.js';
import { Posture } from '../protocol/posture.js';
import { ProcessIdentity } from '../protocol/run.js';
import { Thread, ThreadTerminal } from '../protocol/thread.js';

/** What the first run of a thread is launched with; later runs keep the posture of the one before. */
const ThreadLaunch = z.object({
  permissions: z.enum(['approval', 'autonomous']),
  posture: Posture,
  /** A session of the runtime's to adopt. */
  resume: z.string().optional(),
  fork: z.boolean().optional(),
});

/** A terminal that has a thread's session, by what it is recognized after a restart of the worker. */
export const StoredTerminal = ThreadTerminal.extend({
  /** The thread's own, then those that were begun in the same program since. */
  sessions: z.array(z.string()).min(1),
  /** Who started the program and waits for its end. */
  keeper: ProcessIdentity,
  /** The program itself; missing until it is about to read, so that nothing was said without it. */
  program: ProcessIdentity.optional(),
  /** Where the thread's own session ended before, in the runtime's own words. */
  mark: z.string().optional(),
});
export type StoredTerminal = z.infer<typeof StoredTerminal>;

/** A thread with what only the host needs to know about it. */
export const StoredThread = Thread.extend({
  launch: ThreadLaunch,
  /** Which account of the runtime it uses; missing where it is the worker's own. */
  account: z.string().optional(),
  /** Approvals that hold for the whole of it. */
  grants: z.array(ThreadGrant),
  /** Where its work began; missing before its first run, and outside of a repository. */
  origin: WorkOrigin.optional(),
  terminal: StoredTerminal.optional(),
  /** A session that a terminal left in place of the one of its runs. */
  session: z.object({ id: z.string(), at: z.iso.datetime() }).optional(),
});
export type StoredThread = z.infer<typeof StoredThread>;

/** A thread as it begins: without events, usage, work and approvals. */
export type NewThread = Omit<
  StoredThread,
  | 'lastSeq'
  | 'usage'
  | 'lastDispatch'
  | 'grants'
  | 'origin'
  | 'settled'
  | 'terminal'
  | 'session'
  | 'eventsIn'
  | 'container'
  | 'account'
  | 'snoozed'
>;
