import { aheadBehind, findTarget, findUpstream } from '../../process/git/baseline.js';
import { findRepository, type Repository } from '../../process/git/repository.js';
import { localIssue } from '../linear-journal.js';
import type { ToolWorkspace } from '../workspace.js';
import { defineTool, type WorkspaceTool } from '../workspace-tool.js';

/** Says where the agent is: ids, branch, changes, distance to the target branch, issue. */
export function getSessionStatus(workspace: ToolWorkspace): WorkspaceTool {
  return defineTool({
    name: 'get_session_status',
    description:
      'Workspace, session and conversation ids, current branch, target branch, uncommitted changes, ' +
      'commits ahead and behind, and the Linear issue.',
    access: 'read',
    input: {},
    async answer() {
      return {
        workspace: workspace.cwd,
        conversationId: workspace.conversationId,
        sessionId: workspace.sessionId ?? null,
        targetBranch: workspace.targetBranch ?? null,
        git: await describe(workspace),
        issue: (await localIssue(workspace)) ?? null,
      };
    },
  });
}

async function describe(workspace: ToolWorkspace): Promise<object> {
  const repository = await findRepository(workspace);
  if ('missing' in repository) return { kind: 'none', reason: repository.missing };
  const { head, changes, truncated } = repository;
  return {
    ...head,
    uncommitted: truncated ? { ...changes, atLeast: true } : changes,
    ...(head.kind === 'unborn' ? { compared: null } : await compare(repository, workspace.targetBranch)),
  };
}

async function compare(repository: Repository, targetBranch: string | undefined): Promise<object> {
  const target = targetBranch === undefined ? undefined : await findTarget(repository, targetBranch);
  const note = target && 'problem' in target ? { note: target.problem } : {};
  const baseline = target && !('problem' in target) ? target : await findUpstream(repository);
  if (baseline === undefined) return { compared: null, ...note };
  const { ref, as } = baseline;
  return { compared: { with: ref, as, ...(await aheadBehind(repository, baseline)) }, ...note };
}
