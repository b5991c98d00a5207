import { addReviewComment } from './tools/add-review-comment.js';
import { getLinearContext } from './tools/get-linear-context.js';
import { getRecentActivity } from './tools/get-recent-activity.js';
import { getReviewCommentStats } from './tools/get-review-comment-stats.js';
import { getSessionStatus } from './tools/get-session-status.js';
import { getWorkspaceDiff } from './tools/get-workspace-diff.js';
import { getWorkspaceScriptsConfig } from './tools/get-workspace-scripts-config.js';
import { listReviewComments } from './tools/list-review-comments.js';
import { proposeScriptsConfig } from './tools/propose-scripts-config.js';
import { startLinearIssue } from './tools/start-linear-issue.js';
import { updateLinearStatus } from './tools/update-linear-status.js';
import type { ToolWorkspace } from './workspace.js';
import type { WorkspaceTool } from './workspace-tool.js';

/** The tools of the built-in `handraise` MCP server, for one workspace. */
export function workspaceTools(workspace: ToolWorkspace): readonly WorkspaceTool[] {
  return [
    getSessionStatus(workspace),
    getWorkspaceDiff(workspace),
    getRecentActivity(workspace),
    addReviewComment(workspace),
    listReviewComments(workspace),
    getReviewCommentStats(workspace),
    ...(workspace.offersLinear === false
      ? []
      : [getLinearContext(workspace), startLinearIssue(workspace), updateLinearStatus(workspace)]),
    getWorkspaceScriptsConfig(workspace),
    proposeScriptsConfig(workspace),
  ];
}
