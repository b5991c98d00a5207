// How threads that nobody needs any more are put aside and removed.
import * as z from 'zod';
import { ThreadId } from './id.js';
import { requestObject } from './request-object.js';
import { WorkStanding } from './thread-query.js';

export const ArchiveRequest = requestObject({
  undo: z.boolean().optional().describe('Take it back from the archive.'),
});
export type ArchiveRequest = z.infer<typeof ArchiveRequest>;

/** Which threads are removed: those for which everything that is given holds. */
export const PruneRequest = requestObject({
  olderThanDays: z
    .number()
    .nonnegative()
    .max(36_500)
    .default(30)
    .describe('Only threads in which nothing has happened for so many days.'),
  states: z.array(WorkStanding).max(20).optional().describe('Only threads whose newest work has this state.'),
  keepBytes: z
    .int()
    .nonnegative()
    .optional()
    .describe('Only as many threads, the oldest first, as the others together are larger than this.'),
  dryRun: z.boolean().default(false).describe('Remove nothing; the answer says what would be removed.'),
});
export type PruneRequest = z.infer<typeof PruneRequest>;

const PrunedThread = z.object({
  id: ThreadId,
  title: z.string(),
  bytes: z.int().describe('About what it takes in the store.'),
  worktree: z.string().optional().describe('The worktree that goes with it.'),
});
export type PrunedThread = z.infer<typeof PrunedThread>;

const SparedThread = z.object({ id: ThreadId, title: z.string(), why: z.string() });
export type SparedThread = z.infer<typeof SparedThread>;

/** What was removed, or would be. */
export const PruneReport = z.object({
  dryRun: z.boolean(),
  threads: z.array(PrunedThread),
  spared: z.array(SparedThread).describe('Old enough, but something would be lost with them.'),
  moved: z
    .array(PrunedThread.omit({ worktree: true }))
    .describe('Archived threads whose events are moved to a file, as the setting keepEventsDays says.'),
  notifications: z.int().describe('Notifications that were sent before then and are forgotten.'),
  repositories: z
    .array(z.string())
    .default([])
    .describe(
      'Repositories that were fetched for work, that no worktree needs, and that were not used since then.',
    ),
  isMore: z.boolean().describe('Whether there are more than one call looks at; call again.'),
});
export type PruneReport = z.infer<typeof PruneReport>;
