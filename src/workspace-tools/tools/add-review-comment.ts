import { z } from 'zod';
import { workspacePath } from '../../process/files/workspace-path.js';
import { given } from '../../protocol/given.js';
import { CommentSeverity } from '../../protocol/review-comment.js';
import { reviewComments } from '../review-comment.js';
import type { ToolWorkspace } from '../workspace.js';
import { defineTool, type WorkspaceTool } from '../workspace-tool.js';

const input = {
  file: z.string().min(1).max(4096).describe('path relative to the workspace'),
  line: z.number().int().min(1).max(10_000_000),
  body: z.string().trim().min(1).max(10_000),
  severity: CommentSeverity.optional(),
};

/** Stores a review comment: with the thread, where a person sees it, or in the workspace. */
export function addReviewComment(workspace: ToolWorkspace): WorkspaceTool<typeof input> {
  return defineTool({
    name: 'add_review_comment',
    description: 'Leave a code review comment on a line of a file.',
    access: 'write',
    input,
    async answer({ file, line, body, severity }) {
      const path = await workspacePath(workspace.cwd, file);
      const { comment, warning } = await reviewComments(workspace).add({
        file: path,
        line,
        body,
        ...given({ severity }),
      });
      return { comment, ...given({ warning }) };
    },
  });
}
