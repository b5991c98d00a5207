import { branchWords, isBranchName } from '../../process/git/branch-name.js';
import type { Git } from '../../process/git/git.js';
import { countOwnCommits } from '../../process/git/unsaved-work.js';
import { Failure } from '../../protocol/failure.js';
import type { ThreadId } from '../../protocol/id.js';

const LONGEST_TITLE = 40;
const OURS = /^handraise[/-]/;

/** Which branch a worktree gets, and whether it has to be made. */
export interface WorktreeBranch {
  readonly name: string;
  readonly isNew: boolean;
}

/** The branch that was asked for, or a new one named after the thread. */
export async function chooseBranch(
  git: Git,
  request: { readonly threadId: ThreadId; readonly title: string; readonly branch?: string },
): Promise<WorktreeBranch> {
  if (request.branch !== undefined) {
    if (!isBranchName(request.branch))
      throw new Failure('invalid', `${JSON.stringify(request.branch)} is not a branch name.`);
    return { name: request.branch, isNew: !(await branchExists(git, request.branch)) };
  }
  // Git keeps branches as files, so a branch called handraise leaves no room for handraise/….
  const prefix = (await branchExists(git, 'handraise')) ? 'handraise-' : 'handraise/';
  const id = request.threadId.slice(-8);
  const title = branchWords(request.title, LONGEST_TITLE);
  const names = title === '' ? [id] : [title, `${title}-${id}`];
  for (const name of names) {
    if (!(await branchExists(git, prefix + name))) return { name: prefix + name, isNew: true };
  }
  return { name: prefix + request.threadId, isNew: true };
}

/** Deletes a branch that we named and nobody has committed to. */
export async function dropEmptyBranch(git: Git, branch: string): Promise<void> {
  if (!OURS.test(branch) || !(await branchExists(git, branch))) return;
  if ((await countOwnCommits(git, branch)) > 0) return;
  // Git refuses where another worktree has it checked out, and then it stays.
  await git.run(['branch', '--quiet', '-D', '--', branch]);
}

/** Deletes a branch that we named; git refuses where another worktree has it checked out, and then it stays. */
export async function dropBranch(git: Git, branch: string): Promise<void> {
  if (OURS.test(branch) && (await branchExists(git, branch)))
    await git.run(['branch', '--quiet', '-D', '--', branch]);
}

async function branchExists(git: Git, branch: string): Promise<boolean> {
  return (await git.run(['show-ref', '--verify', '--quiet', '--', `refs/heads/${branch}`])).code === 0;
}
