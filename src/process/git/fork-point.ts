import type { Git } from './git.js';
import type { GitStatus } from './git-status.js';

// Refs below refs/worktree/ belong to one worktree, and are gone with it.
const FORK_REF = 'refs/worktree/handraise-base';

/** The commit at the tip of what a worktree was made from, and what that is called. */
export interface ForkPoint {
  readonly commit: string;
  readonly ref: string;
}

/** Notes in a worktree what it was made from: the branch where there is one, because a branch moves on. */
export async function markForkPoint(worktree: Git, source: GitStatus['head']): Promise<void> {
  switch (source.kind) {
    case 'branch':
      await worktree.succeed(['symbolic-ref', FORK_REF, `refs/heads/${source.branch}`]);
      break;
    case 'detached':
      await worktree.succeed(['update-ref', FORK_REF, source.commit]);
      break;
    case 'unborn':
      break;
    default:
      source satisfies never;
  }
}

/** Whether a worktree has such a note, even of a branch that was deleted since. */
export async function hasForkPoint(worktree: Git): Promise<boolean> {
  if ((await branchOf(worktree)) !== undefined) return true;
  return (await commitOf(worktree)) !== undefined;
}

/** What a worktree was made from, as far as it still exists. */
export async function findForkPoint(worktree: Git): Promise<ForkPoint | undefined> {
  const commit = await commitOf(worktree);
  if (commit === undefined) return undefined;
  return { commit, ref: (await branchOf(worktree)) ?? commit.slice(0, 12) };
}

async function commitOf(git: Git): Promise<string | undefined> {
  const found = await git.run([
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${FORK_REF}^{commit}`,
  ]);
  return found.code === 0 ? found.stdout.trim() : undefined;
}

async function branchOf(git: Git): Promise<string | undefined> {
  const found = await git.run(['symbolic-ref', '--quiet', FORK_REF]);
  return found.code === 0 ? found.stdout.trim().replace(/^refs\/heads\//, '') : undefined;
}
