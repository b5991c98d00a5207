import * as z from 'zod';
import { WorkerId } from '../protocol/id.js';

/** A worker as the store knows it; every opening of the store raises its epoch. */
export const StoredWorker = z.object({
  id: WorkerId,
  name: z.string(),
  epoch: z.int().positive(),
  startedAt: z.iso.datetime(),
  heartbeatAt: z.iso.datetime(),
});
export type StoredWorker = z.infer<typeof StoredWorker>;
