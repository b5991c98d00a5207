import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { RefusalError } from '../files/refusal.js';
import { firstLine, type Git } from './git.js';
import { compareTrees, type FileVersion } from './tree-changes.js';

const CHECKOUT_TIME_MS = 15 * 60_000;

/** A move of a checkout, its index and its files, from one tree to another. */
export interface CheckoutMove {
  readonly top: string;
  readonly from: string;
  readonly to: string;
}

/** Where each branch is checked out, by its full name. */
export async function checkedOutBranches(git: Git): Promise<ReadonlyMap<string, string>> {
  const listed = await git.read(['worktree', 'list', '--porcelain', '-z']);
  const found = new Map<string, string>();
  let top = '';
  for (const field of listed.split('\0')) {
    if (field.startsWith('worktree ')) top = field.slice('worktree '.length);
    if (field.startsWith('branch ')) found.set(field.slice('branch '.length), top);
  }
  return found;
}

/** The tree that an index holds; refuses one with conflicts. */
export async function indexTree(git: Git, top: string): Promise<string> {
  const written = await git.run(['write-tree']);
  if (written.code !== 0)
    throw new RefusalError(
      `The index of ${top} has unresolved conflicts. Resolve or abort them there first.`,
    );
  return written.stdout.trim();
}

/**
 * Moves a checkout to another tree, as a fast-forward does: files that the move does not concern stay as they are,
 * changed ones too; if a file that it concerns has changes, everything stays.
 */
export async function moveCheckout(git: Git, { top, from, to }: CheckoutMove): Promise<void> {
  await git.run(['update-index', '-q', '--refresh'], { timeLimitMs: CHECKOUT_TIME_MS });
  const moved = await git.run(['read-tree', '-m', '-u', from, to], { timeLimitMs: CHECKOUT_TIME_MS });
  if (moved.code === 0) return;
  throw new RefusalError(
    `Nothing was changed in ${top}: ${firstLine(moved.stderr).replace(/\.$/, '')}. Commit, stash or move what you changed there, then try again.`,
  );
}

/** Brings the files of a checkout back to where a move that was cut off began, unless it had been finished. */
export async function repairCheckout(git: Git, move: CheckoutMove): Promise<'finished' | 'repaired'> {
  const { top, from, to } = move;
  const current = await indexTree(git, top);
  if (current === (await treeOf(git, to))) return 'finished';
  if (current !== (await treeOf(git, from)))
    throw new RefusalError(`The index of ${top} was changed meanwhile. See what is there with: git status`);
  const restored: string[] = [];
  const removed: string[] = [];
  const foreign: string[] = [];
  for (const { path, before, after } of await withoutRenames(git, from, to)) {
    const state = await fileState(git, join(top, path), path);
    if (state === before?.object) continue;
    if (state !== 'missing' && state !== 'empty' && state !== after?.object) foreign.push(path);
    else if (before) restored.push(path);
    else if (state !== 'missing') removed.push(path);
  }
  if (foreign.length > 0)
    throw new RefusalError(
      `${foreign.slice(0, 5).join(', ')} in ${top} changed meanwhile, so nothing was touched. See what is there with: git status`,
    );
  for (const path of removed) await rm(join(top, path), { force: true });
  if (restored.length > 0)
    await git.succeed(['checkout-index', '--force', '-z', '--stdin'], {
      input: restored.map((path) => `${path}\0`).join(''),
      timeLimitMs: CHECKOUT_TIME_MS,
    });
  return 'repaired';
}

async function treeOf(git: Git, name: string): Promise<string> {
  return (await git.read(['rev-parse', '--verify', '--end-of-options', `${name}^{tree}`])).trim();
}

interface Versions {
  readonly path: string;
  readonly before: FileVersion | undefined;
  readonly after: FileVersion | undefined;
}

async function withoutRenames(git: Git, from: string, to: string): Promise<Versions[]> {
  const changes = await compareTrees(git, from, to);
  return changes.flatMap(({ path, from: old, before, after }): Versions[] =>
    old === undefined
      ? [{ path, before, after }]
      : [
          { path: old, before, after: undefined },
          { path, before: undefined, after },
        ],
  );
}

/** The object that a file would be, or that it is not there, or that it was only just begun. */
async function fileState(git: Git, full: string, path: string): Promise<string> {
  const stat = await lstat(full).catch(() => undefined);
  if (stat === undefined) return 'missing';
  if (stat.isFile() && stat.size === 0) return 'empty';
  if (!stat.isFile()) return 'other';
  return (await git.read(['hash-object', '--', path])).trim();
}
