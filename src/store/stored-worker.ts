import * as z from 'zod';
import { WorkerId } from '../protocol/id.js';

/** What a worker says about itself with each heartbeat. */
export const WorkerProfile = z.object({
  labels: z.array(z.string()),
  slots: z.int().nonnegative(),
  /** Folders that are the same on all machines whose workers say so. */
  sharedFolders: z.array(z.string()),
  /** The agents that are installed there; missing where an older version says what it is. */
  runtimes: z.array(z.string()).optional(),
  /** How long without a heartbeat its work may be taken over; missing while something of it may run on without it. */
  goneAfterMs: z.int().positive().optional(),
});
export type WorkerProfile = z.infer<typeof WorkerProfile>;

/** A worker as the store knows it; every opening of the store raises its epoch. */
export const StoredWorker = z.object({
  id: WorkerId,
  name: z.string(),
  epoch: z.int().positive(),
  startedAt: z.iso.datetime(),
  heartbeatAt: z.iso.datetime(),
  /** Missing before its first heartbeat, and where an older version beats. */
  profile: WorkerProfile.optional(),
  drainingSince: z.iso.datetime().optional(),
});
export type StoredWorker = z.infer<typeof StoredWorker>;
