import * as z from 'zod';
import { WorkerId } from '../protocol/id.js';

/** Which worker may execute a dispatch, until when; each acquisition has an epoch of its own, higher than the last. */
export const Lease = z.object({ workerId: WorkerId, epoch: z.int().positive(), until: z.iso.datetime() });
export type Lease = z.infer<typeof Lease>;
