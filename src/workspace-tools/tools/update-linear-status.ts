import { z } from 'zod';
import { given } from '../../protocol/given.js';
import { IssueId, linearJournal, requireIssue } from '../linear-journal.js';
import type { ToolWorkspace } from '../workspace.js';
import { defineTool, type WorkspaceTool } from '../workspace-tool.js';

const input = {
  status: z.string().trim().min(1).max(100).describe('such as In Progress, In Review, Done'),
  issueId: IssueId.optional().describe('default: the issue of this workspace'),
};

/** Notes an issue's status in the workspace, not in Linear. */
export function updateLinearStatus(workspace: ToolWorkspace): WorkspaceTool<typeof input> {
  return defineTool({
    name: 'update_linear_status',
    description: 'Note the status of the Linear issue in this workspace. Linear itself is not changed.',
    access: 'write',
    input,
    async answer({ status, issueId }) {
      const { id } = await requireIssue(workspace, issueId);
      const warning = await linearJournal(workspace).append({
        fact: 'status_set',
        issue: id,
        status,
        conversationId: workspace.conversationId,
        at: workspace.now().toISOString(),
      });
      return {
        issue: id,
        status,
        localOnly: true,
        note: 'Noted in this workspace only; the issue in Linear was not changed.',
        ...given({ warning }),
      };
    },
  });
}
