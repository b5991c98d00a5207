// What people and agents say about lines of a thread's changes.
import * as z from 'zod';
import { DispatchId, ThreadId } from './id.js';
import { requestObject } from './request-object.js';

const instant = z.iso.datetime();

/** More comments a thread does not take; an agent could write without end. */
export const mostComments = 500;
const longestBody = 10_000;
/** What is kept of the line that a comment is about. */
export const longestQuote = 1000;

/** How much a comment matters. */
export const CommentSeverity = z.enum(['error', 'warning', 'suggestion', 'info']);
export type CommentSeverity = z.infer<typeof CommentSeverity>;

/** Which of the two versions of a file the line is counted in. */
export const CommentSide = z.enum(['old', 'new']);
export type CommentSide = z.infer<typeof CommentSide>;

/** A file of the workspace, as git names it. */
const file = z
  .string()
  .min(1)
  .max(4096)
  .refine(
    (path) => !path.includes('\0') && !path.startsWith('/') && !path.split('/').includes('..'),
    'a path inside of the workspace, without a leading slash and without ..',
  );
const line = z.int().min(1).max(10_000_000);
const body = z.string().trim().min(1).max(longestBody);
const quote = z.string().max(longestQuote).optional();

/** A comment on one line of one file, kept with its thread. */
export const ReviewComment = z.object({
  id: z.uuid(),
  threadId: ThreadId,
  file,
  line,
  side: CommentSide.describe('old: the line as it was before the work; new: as it is now.'),
  body,
  quote: quote.describe('The line that was commented on, as it stood then.'),
  severity: CommentSeverity.optional(),
  author: z.string().describe('`agent`, or `user:` and the name of the token.'),
  state: z.enum(['open', 'resolved']),
  createdAt: instant,
  editedAt: instant.optional(),
  sentAt: instant.optional().describe('When it went to the agent as it stands; missing while it did not.'),
  dispatchId: DispatchId.optional().describe('The work with which it was sent last.'),
  resolvedAt: instant.optional(),
  resolvedBy: z.string().optional(),
});
export type ReviewComment = z.infer<typeof ReviewComment>;

export const CommentRequest = requestObject({
  id: z.uuid().optional().describe('Chosen by the caller, so that repeating the request adds nothing twice.'),
  file,
  line,
  side: CommentSide.default('new'),
  body,
  quote: quote.describe('The line itself; the agent reads it with the comment.'),
  severity: CommentSeverity.optional(),
});
export type CommentRequest = z.infer<typeof CommentRequest>;

export const CommentEdit = requestObject({
  body: body.optional().describe('New words; only whoever wrote the comment can change them.'),
  state: z.enum(['open', 'resolved']).optional(),
});
export type CommentEdit = z.infer<typeof CommentEdit>;

export const SendCommentsRequest = requestObject({
  ids: z
    .array(z.uuid())
    .min(1)
    .max(mostComments)
    .optional()
    .describe('These; without it every open comment of a person that was not sent yet.'),
});
export type SendCommentsRequest = z.infer<typeof SendCommentsRequest>;

/** Comments that went to the agent as one message, and the work that it is. */
export const SentComments = z.object({ dispatchId: DispatchId, sent: z.array(z.uuid()) });
export type SentComments = z.infer<typeof SentComments>;

/** A comment as the agent's own tools show it. */
export const AgentsView = ReviewComment.omit({ threadId: true, dispatchId: true, resolvedBy: true });
export type AgentsView = z.infer<typeof AgentsView>;

/** From the worker to a detached runner: every comment of the thread, whenever one changed. */
export const CommentsFrame = z.object({
  type: z.literal('review_comments'),
  comments: z.array(AgentsView),
});
export type CommentsFrame = z.infer<typeof CommentsFrame>;
