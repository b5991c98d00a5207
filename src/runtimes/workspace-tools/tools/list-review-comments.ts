import { z } from 'zod';
import { workspacePath } from '../../../process/workspace-path.js';
import { type ReviewComment, reviewComments } from '../review-comment.js';
import type { Workspace } from '../workspace.js';
import { defineTool, type WorkspaceTool } from '../workspace-tool.js';

const MAX_CHARACTERS = 80_000;

const input = {
  file: z.string().min(1).max(4096).optional().describe('only comments on this file'),
};

/** Lists the workspace's review comments, oldest first. */
export function listReviewComments(workspace: Workspace): WorkspaceTool<typeof input> {
  return defineTool({
    name: 'list_review_comments',
    description: 'The review comments of this workspace, oldest first, optionally of one file.',
    access: 'read',
    input,
    async answer({ file }) {
      const path = file === undefined ? undefined : await workspacePath(workspace.cwd, file);
      const { facts, unreadable } = await reviewComments(workspace).read();
      const wanted = facts.filter((comment) => path === undefined || comment.file === path);
      const comments = newest(wanted);
      return { comments, omittedOlder: wanted.length - comments.length, unreadableLines: unreadable };
    },
  });
}

function newest(comments: readonly ReviewComment[]): readonly ReviewComment[] {
  let room = MAX_CHARACTERS;
  let from = comments.length;
  for (const comment of comments.toReversed()) {
    room -= JSON.stringify(comment).length;
    if (room < 0) break;
    from -= 1;
  }
  return comments.slice(from);
}
