import { z } from 'zod';
import { RefusalError } from '../../process/files/refusal.js';
import { type Repository, requireRepository } from '../../process/git/repository.js';
import { given } from '../../protocol/given.js';
import { issueBranch } from '../branch.js';
import { fetchLinearIssue } from '../linear-issue.js';
import { IssueId, linearJournal, requireIssue } from '../linear-journal.js';
import type { ToolWorkspace } from '../workspace.js';
import { defineTool, type WorkspaceTool } from '../workspace-tool.js';

const input = {
  issueId: IssueId.optional().describe('default: the issue of this workspace'),
  title: z.string().trim().max(500).optional().describe("default: the issue's title in Linear"),
};

/** Makes the branch for an issue and switches to it. */
export function startLinearIssue(workspace: ToolWorkspace): WorkspaceTool<typeof input> {
  return defineTool({
    name: 'start_linear_issue',
    description:
      'Make a branch for a Linear issue from the current commit and switch to it, keeping uncommitted changes.',
    access: 'write',
    input,
    async answer({ issueId, title: wanted }) {
      const { id, title: known } = await requireIssue(workspace, issueId);
      const repository = await requireRepository(workspace);
      const title = wanted ?? known ?? (await titleInLinear(workspace, id));
      const branch = issueBranch(id, title);
      await switchToNew(repository, branch);
      const warning = await linearJournal(workspace).append({
        fact: 'issue_started',
        issue: id,
        branch,
        ...given({ title }),
        conversationId: workspace.conversationId,
        at: workspace.now().toISOString(),
      });
      return { issue: id, title: title ?? null, branch, ...given({ warning }) };
    },
  });
}

async function switchToNew({ git, head, changes }: Repository, branch: string): Promise<void> {
  if (changes.conflicted > 0) {
    throw new RefusalError(
      `Paths with conflicts: ${changes.conflicted}. Resolve them before starting an issue.`,
    );
  }
  const existing = await git.run(['show-ref', '--verify', '--quiet', '--', `refs/heads/${branch}`]);
  if (existing.code === 0 || (head.kind === 'unborn' && head.branch === branch)) {
    throw new RefusalError(`The branch ${branch} exists already.`);
  }
  await git.read(['switch', '--quiet', '--create', branch]);
}

// The branch is still right without a title, so a problem with Linear does not stop the work.
async function titleInLinear(workspace: ToolWorkspace, id: string): Promise<string | undefined> {
  const apiKey = workspace.linearApiKey;
  if (!apiKey) return undefined;
  const issue = await fetchLinearIssue(workspace, { id, apiKey });
  return 'problem' in issue ? undefined : issue.title;
}
