import type { Git } from './git.js';
import type { Repository } from './repository.js';

/** What would be lost with a work tree, in words: changes, files that git does not know, commits that are nowhere else. */
export async function unsavedWork(
  { git, head, changes, truncated }: Repository,
  landed?: string,
): Promise<string[]> {
  const changed = changes.staged + changes.unstaged + changes.conflicted;
  const commits =
    head.kind === 'unborn'
      ? 0
      : await countOwnCommits(git, head.kind === 'branch' ? head.branch : undefined, landed);
  return [
    ...counted(changed, ['uncommitted change', 'uncommitted changes']),
    ...counted(changes.untracked, ['untracked file or folder', 'untracked files or folders']),
    ...counted(commits, ['commit that is', 'commits that are']).map(
      (words) => `${words} on no other branch or remote`,
    ),
    ...(truncated ? ['more changes than were counted'] : []),
  ];
}

/** Counts the commits that only this branch keeps, or only HEAD where no branch is checked out; not those up to the landed one. */
export async function countOwnCommits(
  git: Git,
  branch: string | undefined,
  landed?: string,
): Promise<number> {
  const tip = branch === undefined ? 'HEAD' : `refs/heads/${branch}`;
  const itself = branch === undefined ? [] : [`--exclude=${branch}`];
  const others = [...itself, '--branches', '--remotes', '--tags', ...(landed === undefined ? [] : [landed])];
  return Number((await git.read(['rev-list', '--count', tip, '--not', ...others, '--'])).trim());
}

function counted(count: number, [one, many]: readonly [string, string]): string[] {
  if (count === 0) return [];
  return [`${count} ${count === 1 ? one : many}`];
}
