import { findTarget } from './baseline.js';
import type { Repository } from './repository.js';

/** What a diff is taken against, and why it is that. */
export interface DiffBase {
  readonly commit: string;
  readonly why: string;
}

/** HEAD, or an empty tree where there is no commit yet. */
export async function headBase({ git, head }: Repository): Promise<DiffBase> {
  if (head.kind !== 'unborn') return { commit: head.commit, why: 'HEAD' };
  const emptyTree = await git.read(['hash-object', '-t', 'tree', '/dev/null']);
  return { commit: emptyTree.trim(), why: 'nothing, because there is no commit yet' };
}

/** Where the work left the target branch; HEAD and a note where that cannot be told. */
export async function targetBase(
  repository: Repository,
  targetBranch: string | undefined,
): Promise<DiffBase & { readonly note?: string }> {
  const { head } = repository;
  const fallback = await headBase(repository);
  if (head.kind === 'unborn' || targetBranch === undefined) return fallback;
  const target = await findTarget(repository, targetBranch);
  if ('problem' in target) return { ...fallback, note: `${target.problem} The diff is against HEAD.` };
  return await mergeBase(repository, target);
}

/** The merge base of HEAD with another commit; HEAD and a note when they have no commit in common. */
export async function mergeBase(
  repository: Repository,
  other: { readonly commit: string; readonly ref: string },
): Promise<DiffBase & { readonly note?: string }> {
  const found = await repository.git.run(['merge-base', '--', other.commit, 'HEAD']);
  if (found.code === 0) return { commit: found.stdout.trim(), why: `the merge base with ${other.ref}` };
  const note = `${other.ref} has no commit in common with HEAD. The diff is against HEAD.`;
  return { ...(await headBase(repository)), note };
}
