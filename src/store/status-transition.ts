import * as z from 'zod';
import { ThreadId } from '../protocol/id.js';
import { StatusReport } from '../protocol/status.js';

/** One step of a thread's status timeline, with why. */
export const StatusTransition = z.object({
  threadId: ThreadId,
  report: StatusReport,
  at: z.iso.datetime(),
});
export type StatusTransition = z.infer<typeof StatusTransition>;
