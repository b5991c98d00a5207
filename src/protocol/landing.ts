// How the work of a thread becomes its user's.
import * as z from 'zod';
import { DispatchId, ThreadId } from './id.js';
import { requestObject } from './request-object.js';

const instant = z.iso.datetime();

/** How a branch takes the work in. */
export const MergeMethod = z.enum(['merge', 'no-ff', 'squash', 'rebase']);
export type MergeMethod = z.infer<typeof MergeMethod>;

const branch = z.string().min(1).max(1000);
const message = z.string().min(1).max(20_000);

export const MergeRequest = requestObject({
  method: MergeMethod.default('merge').describe(
    'merge: as git does it, a fast-forward where that is enough; no-ff: always a merge commit; squash: one commit; rebase: every commit again, on top.',
  ),
  into: branch.optional().describe('The branch; without it the one that the work came from.'),
  message: message.optional().describe('For the commits that are made; without it the title of the work.'),
  verify: z.string().min(1).optional().describe('A command that must succeed in the merged tree first.'),
  hooks: z
    .union([z.literal(true), z.string().regex(/^[0-9a-f]{12,64}$/)])
    .optional()
    .describe(
      'Run the hooks of the repository. Ones that nobody has approved are shown first, in `output`; the digest in the sentence approves them.',
    ),
  resolveWithAgent: z.boolean().optional().describe('Give conflicts to the agent as a message.'),
});
export type MergeRequest = z.infer<typeof MergeRequest>;

export const ApplyRequest = requestObject({
  undo: z.boolean().optional().describe('Take back what was applied last.'),
});
export type ApplyRequest = z.infer<typeof ApplyRequest>;

export const PullRequestRequest = requestObject({
  into: branch
    .optional()
    .describe('The branch that is to take the work in; without it the one that the work came from.'),
  remote: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'The remote to push to, as the repository names it now; without it the address that was noted when the work began.',
    ),
  title: z.string().min(1).max(1000).optional().describe('Without it the title of the work.'),
  body: z.string().max(60_000).optional(),
  draft: z.boolean().optional(),
});
export type PullRequestRequest = z.infer<typeof PullRequestRequest>;

export const BranchPushRequest = requestObject({
  message: message.optional().describe('For what is not committed; without it the title of the work.'),
});
export type BranchPushRequest = z.infer<typeof BranchPushRequest>;

export const WatchRequest = requestObject({
  rounds: z
    .int()
    .min(1)
    .max(20)
    .optional()
    .describe('How often the agent is told what is new before a person is asked; 3 unless given.'),
});
export type WatchRequest = z.infer<typeof WatchRequest>;

/** One try to land the work of a thread, and what became of it. */
export const Landing = z.object({
  id: z.string(),
  threadId: ThreadId,
  kind: z
    .enum(['merge', 'apply', 'pr', 'push', 'discard', 'watch'])
    .describe('watch: a pull request that is watched, which is `begun` for as long as it is.'),
  state: z
    .enum(['begun', 'done', 'conflicted', 'failed', 'undone'])
    .describe(
      'conflicted and failed: everything is as it was before, but for a branch that was pushed for a pull request.',
    ),
  sentence: z.string().describe('What happened, and what to do next.'),
  actor: z.string(),
  into: z.string().optional().describe('The branch, or for apply the folder.'),
  commit: z.string().optional(),
  pullRequest: z.string().optional().describe('The address of the pull request that is open.'),
  createUrl: z
    .string()
    .optional()
    .describe('The page on which a person can open one, where nobody else could.'),
  conflicts: z.array(z.string()).optional().describe('The files in which both sides changed the same lines.'),
  output: z.string().optional().describe('The end of what a command that refused printed.'),
  dispatchId: DispatchId.optional().describe('The work of the agent that is to resolve the conflicts.'),
  afterDispatch: DispatchId.optional().describe('The work whose success this landing was asked for with.'),
  createdAt: instant,
  endedAt: instant.optional(),
});
export type Landing = z.infer<typeof Landing>;
