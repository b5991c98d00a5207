import { z } from 'zod';
import { workspacePath } from '../../process/files/workspace-path.js';
import { type ListedComment, reviewComments } from '../review-comment.js';
import type { ToolWorkspace } from '../workspace.js';
import { defineTool, type WorkspaceTool } from '../workspace-tool.js';

const MAX_CHARACTERS = 80_000;

const input = {
  file: z.string().min(1).max(4096).optional().describe('only comments on this file'),
};

/** Lists the review comments, oldest first. */
export function listReviewComments(workspace: ToolWorkspace): WorkspaceTool<typeof input> {
  return defineTool({
    name: 'list_review_comments',
    description: 'The review comments of this workspace, oldest first, optionally of one file.',
    access: 'read',
    input,
    async answer({ file }) {
      const path = file === undefined ? undefined : await workspacePath(workspace.cwd, file);
      const { comments: all, unreadable } = await reviewComments(workspace).list();
      const wanted = all.filter((comment) => path === undefined || comment.file === path);
      const comments = newest(wanted);
      return { comments, omittedOlder: wanted.length - comments.length, unreadableLines: unreadable };
    },
  });
}

function newest(comments: readonly ListedComment[]): readonly ListedComment[] {
  let room = MAX_CHARACTERS;
  let from = comments.length;
  for (const comment of comments.toReversed()) {
    room -= JSON.stringify(comment).length;
    if (room < 0) break;
    from -= 1;
  }
  return comments.slice(from);
}
