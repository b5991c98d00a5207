import { type ListedComment, reviewComments } from '../review-comment.js';
import type { ToolWorkspace } from '../workspace.js';
import { defineTool, type WorkspaceTool } from '../workspace-tool.js';

/** Counts the review comments per file. */
export function getReviewCommentStats(workspace: ToolWorkspace): WorkspaceTool {
  return defineTool({
    name: 'get_review_comment_stats',
    description: 'How many review comments each file has, by severity.',
    access: 'read',
    input: {},
    async answer() {
      const { comments: all } = await reviewComments(workspace).list();
      const byFile = new Map<string, ListedComment[]>();
      for (const comment of all) byFile.set(comment.file, [...(byFile.get(comment.file) ?? []), comment]);
      const files = [...byFile].map(([file, comments]) => ({
        file,
        total: comments.length,
        bySeverity: countSeverities(comments),
      }));
      return { total: all.length, files: files.toSorted((a, b) => (a.file < b.file ? -1 : 1)) };
    },
  });
}

function countSeverities(comments: readonly ListedComment[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { severity = 'none' } of comments) counts[severity] = (counts[severity] ?? 0) + 1;
  return counts;
}
