import { z } from 'zod';
import { workspacePath } from '../../../process/workspace-path.js';
import { reviewComments, Severity } from '../review-comment.js';
import type { Workspace } from '../workspace.js';
import { defineTool, type WorkspaceTool } from '../workspace-tool.js';

const input = {
  file: z.string().min(1).max(4096).describe('path relative to the workspace'),
  line: z.number().int().min(1).max(10_000_000),
  body: z.string().trim().min(1).max(10_000),
  severity: Severity.optional(),
};

/** Stores a review comment in the workspace. */
export function addReviewComment(workspace: Workspace): WorkspaceTool<typeof input> {
  return defineTool({
    name: 'add_review_comment',
    description: 'Leave a code review comment on a line of a file.',
    access: 'write',
    input,
    async answer({ file, line, body, severity }) {
      const comment = {
        id: workspace.newId(),
        file: await workspacePath(workspace.cwd, file),
        line,
        body,
        ...(severity === undefined ? {} : { severity }),
        conversationId: workspace.conversationId,
        ...(workspace.sessionId === undefined ? {} : { sessionId: workspace.sessionId }),
        createdAt: workspace.now().toISOString(),
      };
      const warning = await reviewComments(workspace).append(comment);
      return { comment, ...(warning === undefined ? {} : { warning }) };
    },
  });
}
