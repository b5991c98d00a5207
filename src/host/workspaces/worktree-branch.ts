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

/**
 * The branch of a worktree of a repository that was fetched, made or moved to its commit. Its name has the id of the thread, because
 * other workers push to the same repository; one that has commits which are not pushed stays where it is.
 */
export async function branchForFetched(
  git: Git,
  request: {
    readonly threadId: ThreadId;
    readonly title: string;
    readonly commit: string;
    readonly branch?: string | undefined;
  },
): Promise<string> {
  const { commit, threadId } = request;
  const title = branchWords(request.title, LONGEST_TITLE);
  const words = [title, threadId.slice(-8)].filter((part) => part !== '').join('-');
  // Git keeps branches as files, so a branch called handraise, here or there, leaves no room for handraise/….
  const hasOurName =
    (await branchExists(git, 'handraise')) || (await refExists(git, 'refs/remotes/origin/handraise'));
  const prefix = hasOurName ? 'handraise-' : 'handraise/';
  const name = request.branch ?? prefix + words;
  if (!isBranchName(name)) throw new Failure('invalid', `${JSON.stringify(name)} is not a branch name.`);
  const tip = await git.run(['rev-parse', '--verify', '--quiet', '--end-of-options', `refs/heads/${name}`]);
  const isBehind =
    tip.code !== 0 || (await git.run(['merge-base', '--is-ancestor', tip.stdout.trim(), commit])).code === 0;
  if (isBehind) await git.succeed(['update-ref', `refs/heads/${name}`, commit]);
  return name;
}

/** Whether a branch is that of a thread's worktree: the one that it was to go on with, or one that we named after the thread. */
export function isOwnBranch(
  name: string,
  { threadId, branch }: { readonly threadId: ThreadId; readonly branch?: string | undefined },
): boolean {
  return name === branch || (OURS.test(name) && name.endsWith(threadId.slice(-8)));
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
  return await refExists(git, `refs/heads/${branch}`);
}

async function refExists(git: Git, ref: string): Promise<boolean> {
  return (await git.run(['show-ref', '--verify', '--quiet', '--', ref])).code === 0;
}
