import { RefusalError } from '../files/refusal.js';
import { firstLine, type Git } from './git.js';

/** What two sides make together: a tree, or the paths in which they disagree. */
export type Merged = { readonly tree: string } | { readonly conflicts: readonly string[] };

const nobody = {
  GIT_AUTHOR_NAME: 'Handraise',
  GIT_AUTHOR_EMAIL: 'handraise@localhost',
  GIT_AUTHOR_DATE: '2000-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'Handraise',
  GIT_COMMITTER_EMAIL: 'handraise@localhost',
  GIT_COMMITTER_DATE: '2000-01-01T00:00:00Z',
};

/** Merges two commits as their history tells; no work tree and no index is touched. */
export async function mergeCommits(git: Git, ours: string, theirs: string): Promise<Merged> {
  const merged = await git.run([
    'merge-tree',
    '--write-tree',
    '--name-only',
    '--no-messages',
    '-z',
    '--allow-unrelated-histories',
    ours,
    theirs,
  ]);
  const [tree = '', ...paths] = merged.stdout.split('\0').filter((field) => field !== '');
  if (merged.code === 0) return { tree };
  if (merged.code === 1) return { conflicts: [...new Set(paths)].slice(0, 1000) };
  throw new RefusalError(`git merge-tree failed: ${firstLine(merged.stderr)}`);
}

/** Merges three trees: what `theirs` changed since `base`, into `ours`. */
export async function mergeTrees(
  git: Git,
  { base, ours, theirs }: { readonly base: string; readonly ours: string; readonly theirs: string },
): Promise<Merged> {
  // Git 2.39 takes the base from the history only, so a history is made for it.
  const root = await commitOf(git, base);
  return await mergeCommits(git, await commitOf(git, ours, root), await commitOf(git, theirs, root));
}

async function commitOf(git: Git, tree: string, parent?: string): Promise<string> {
  const parents = parent === undefined ? [] : ['-p', parent];
  const made = await git.read(['commit-tree', `${tree}^{tree}`, ...parents, '-m', 'for a merge'], {
    variables: nobody,
  });
  return made.trim();
}
