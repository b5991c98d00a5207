import { z } from 'zod';
import { Journal } from './journal.js';
import type { Workspace } from './workspace.js';

/** How much a review comment matters. */
export const Severity = z.enum(['error', 'warning', 'suggestion', 'info']);

/** A remark on one line of one file. */
export const ReviewComment = z.object({
  id: z.string(),
  file: z.string(),
  line: z.number().int().positive(),
  body: z.string(),
  severity: Severity.optional(),
  conversationId: z.string(),
  sessionId: z.string().optional(),
  createdAt: z.string(),
});
export type ReviewComment = z.infer<typeof ReviewComment>;

/** The workspace's review comments. */
export function reviewComments(workspace: Workspace): Journal<ReviewComment> {
  return new Journal(workspace, { file: 'review-comments.jsonl', schema: ReviewComment });
}
