import { isBranchName } from './branch-name.js';
import type { Repository } from './repository.js';

/** A branch that the work is measured against. */
export interface Baseline {
  readonly ref: string;
  readonly as: 'target branch' | 'upstream';
  readonly commit: string;
}

/** Finds the target branch, as a local branch first, then as a remote's. */
export async function findTarget(
  { git }: Repository,
  targetBranch: string,
): Promise<Baseline | { readonly problem: string }> {
  if (!isBranchName(targetBranch)) return { problem: `"${targetBranch}" is not a branch name.` };
  for (const ref of [
    `refs/heads/${targetBranch}`,
    `refs/remotes/${targetBranch}`,
    `refs/remotes/origin/${targetBranch}`,
  ]) {
    // `show-ref --verify` takes a full ref and nothing of git's revision syntax.
    const found = await git.run(['show-ref', '--verify', '--hash', '--', ref]);
    if (found.code === 0) {
      return {
        ref: ref.replace(/^refs\/(heads|remotes)\//, ''),
        as: 'target branch',
        commit: found.stdout.trim(),
      };
    }
  }
  return { problem: `The target branch ${targetBranch} does not exist here.` };
}

/** Finds what the current branch was set up to follow, if anything. */
export async function findUpstream({ git, upstream }: Repository): Promise<Baseline | undefined> {
  if (upstream === undefined) return undefined;
  const found = await git.run([
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    '@{upstream}^{commit}',
  ]);
  // A deleted upstream branch is still configured, and still named by `git status`.
  if (found.code !== 0) return undefined;
  return { ref: upstream, as: 'upstream', commit: found.stdout.trim() };
}

/** Counts the commits that only HEAD has and those that only the baseline has. */
export async function aheadBehind(
  { git }: Repository,
  baseline: Baseline,
): Promise<{ readonly ahead: number; readonly behind: number }> {
  const counts = await git.read(['rev-list', '--left-right', '--count', `${baseline.commit}...HEAD`, '--']);
  const [behind, ahead] = counts.trim().split('\t').map(Number);
  return { ahead: ahead ?? 0, behind: behind ?? 0 };
}
