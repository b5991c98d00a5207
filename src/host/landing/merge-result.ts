import type { Git } from '../../process/git/git.js';
import { type Merged, mergeCommits, mergeTrees } from '../../process/git/merge-trees.js';
import { Failure } from '../../protocol/failure.js';
import type { MergeMethod } from '../../protocol/landing.js';
import { commitTree, type WorkToLand } from './work-to-land.js';

const mostRebased = 500;

/** The commit that the branch moves to; the same as its tip when it has everything already. */
export type MergeResult = { readonly commit: string } | { readonly conflicts: readonly string[] };

/** Makes the commit that a merge results in. Nothing but objects is written. */
export async function mergeResult(
  work: WorkToLand,
  request: {
    readonly method: MergeMethod;
    readonly target: string;
    readonly into: string;
    readonly message: string;
  },
): Promise<MergeResult> {
  const { method, target } = request;
  const git = work.shadow.bare;
  if (await isAncestor(git, work.tip, target)) return { commit: target };
  if (method === 'rebase' && work.isNatural) return await rebased(work, target);
  const isAhead = work.isNatural && (await isAncestor(git, target, work.tip));
  if (isAhead && method === 'merge') return { commit: work.tip };
  const merged: Merged = work.isNatural
    ? await mergeCommits(git, target, work.tip)
    : await mergeTrees(git, { base: work.base, ours: target, theirs: work.tip });
  if ('conflicts' in merged) return merged;
  const { tree } = merged;
  if (tree === (await git.read(['rev-parse', `${target}^{tree}`])).trim()) return { commit: target };
  // Work whose beginning no history tells of can only be a commit of its own.
  const isOne = method === 'squash' || !work.isNatural;
  const parents = isOne ? [target] : [target, work.tip];
  return { commit: await commitTree(git, { tree, parents, message: request.message }) };
}

async function rebased({ shadow, base, tip }: WorkToLand, target: string): Promise<MergeResult> {
  const git = shadow.bare;
  if (await isAncestor(git, target, tip)) return { commit: tip };
  const listed = await git.read([
    'rev-list',
    '--reverse',
    '--topo-order',
    '--parents',
    `${base}..${tip}`,
    '--',
  ]);
  const commits = listed.split('\n').filter((line) => line !== '');
  if (commits.length > mostRebased)
    throw new Failure(
      'conflict',
      `${commits.length} commits are too many to rebase. Use --squash or --no-ff.`,
    );
  let onto = target;
  for (const line of commits) {
    const [commit = '', parent, ...others] = line.split(' ');
    if (parent === undefined || others.length > 0)
      throw new Failure(
        'conflict',
        'The agent merged other branches, so its commits cannot be rebased. Use --squash or --no-ff.',
      );
    const merged = await mergeTrees(git, { base: parent, ours: onto, theirs: commit });
    if ('conflicts' in merged) return merged;
    if (merged.tree === (await git.read(['rev-parse', `${onto}^{tree}`])).trim()) continue;
    onto = await again(git, { commit, tree: merged.tree, parent: onto });
  }
  return { commit: onto };
}

/** The same commit on another parent, with its author and its words. */
async function again(
  git: Git,
  { commit, tree, parent }: { readonly commit: string; readonly tree: string; readonly parent: string },
): Promise<string> {
  const shown = await git.read([
    'log',
    '-1',
    '--no-show-signature',
    '--format=%an%x00%ae%x00%ad%x00%B',
    '--date=raw',
    commit,
    '--',
  ]);
  const [name = '', email = '', date = '', ...words] = shown.split('\0');
  const variables = { GIT_AUTHOR_NAME: name || 'unknown', GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date };
  return await commitTree(git, {
    tree,
    parents: [parent],
    message: words.join('').replace(/\n+$/, '\n'),
    variables,
  });
}

async function isAncestor(git: Git, ancestor: string, of: string): Promise<boolean> {
  return (await git.run(['merge-base', '--is-ancestor', ancestor, of])).code === 0;
}
