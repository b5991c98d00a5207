import { type ReviewComment, reviewComments } from '../review-comment.js';
import type { Workspace } from '../workspace.js';
import { defineTool, type WorkspaceTool } from '../workspace-tool.js';

/** Counts the workspace's review comments per file. */
export function getReviewCommentStats(workspace: Workspace): WorkspaceTool {
  return defineTool({
    name: 'get_review_comment_stats',
    description: 'How many review comments each file has, by severity.',
    access: 'read',
    input: {},
    async answer() {
      const { facts } = await reviewComments(workspace).read();
      const byFile = new Map<string, ReviewComment[]>();
      for (const comment of facts) byFile.set(comment.file, [...(byFile.get(comment.file) ?? []), comment]);
      const files = [...byFile].map(([file, comments]) => ({
        file,
        total: comments.length,
        bySeverity: countSeverities(comments),
      }));
      return { total: facts.length, files: files.toSorted((a, b) => (a.file < b.file ? -1 : 1)) };
    },
  });
}

function countSeverities(comments: readonly ReviewComment[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { severity = 'none' } of comments) counts[severity] = (counts[severity] ?? 0) + 1;
  return counts;
}
