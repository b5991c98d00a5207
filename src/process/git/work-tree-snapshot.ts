import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { RefusalError } from '../files/refusal.js';
import type { ShadowRepository } from './shadow-repository.js';

const SNAPSHOT_TIME_MS = 5 * 60_000;
const MAX_PATHS = 50_000;
const LOOKS_AT_ONCE = 64;

/** A path that a snapshot does not hold as it is, and why. */
export interface LeftOut {
  readonly path: string;
  readonly why: string;
}

/** The files of a work tree as a git tree. */
export interface WorkTreeSnapshot {
  readonly tree: string;
  readonly leftOut: readonly LeftOut[];
}

/**
 * Writes what a work tree holds, committed, staged, changed and untracked, as one tree, in the shadow's private index.
 * `head` is where the files began; `largest` is the size above which a file is left as it was.
 */
export async function takeSnapshot(
  shadow: ShadowRepository,
  { head, largest }: { readonly head: string | undefined; readonly largest: number },
): Promise<WorkTreeSnapshot> {
  const { workTree } = shadow;
  const indexed = await workTree.run(['ls-files', '--unmerged', '-z']);
  const hasIndex = indexed.code === 0 && (await workTree.read(['ls-files', '-z', '--', ':/'])) !== '';
  const hasConflicts = indexed.stdout !== '';
  if (head !== undefined && (!hasIndex || hasConflicts)) await shadow.readTree(head);
  await workTree.run(['update-index', '-q', '--refresh', '--unmerged']);
  const changed = await workTree.read(
    ['diff-files', '--name-only', '-z', '--no-renames', '--ignore-submodules=dirty'],
    { timeLimitMs: SNAPSHOT_TIME_MS },
  );
  const untracked = await workTree.read(['ls-files', '--others', '--exclude-standard', '-z']);
  const paths = [...new Set([...namesIn(changed), ...namesIn(untracked)])];
  if (paths.length > MAX_PATHS)
    throw new RefusalError(
      `${paths.length} files differ, more than ${MAX_PATHS}. Add what is not work, such as installed packages, to .gitignore.`,
    );
  const { taken, leftOut } = await sortedOut(shadow, paths, largest);
  if (taken.length > 0) {
    await workTree.succeed(['update-index', '-z', '--add', '--remove', '--stdin'], {
      input: taken.map((path) => `${path}\0`).join(''),
      timeLimitMs: SNAPSHOT_TIME_MS,
    });
  }
  return { tree: (await workTree.read(['write-tree'])).trim(), leftOut };
}

async function sortedOut(
  { places }: ShadowRepository,
  paths: readonly string[],
  largest: number,
): Promise<{ taken: string[]; leftOut: LeftOut[] }> {
  const taken: string[] = [];
  const leftOut: LeftOut[] = [];
  for (let at = 0; at < paths.length; at += LOOKS_AT_ONCE) {
    const part = paths.slice(at, at + LOOKS_AT_ONCE);
    const reasons = await Promise.all(
      part.map(async (path) => await whyNot(join(places.top, path), path, largest)),
    );
    for (const [index, path] of part.entries()) {
      const why = reasons[index];
      if (why === undefined) taken.push(path);
      else leftOut.push({ path, why });
    }
  }
  return { taken, leftOut };
}

async function whyNot(full: string, path: string, largest: number): Promise<string | undefined> {
  // Git names a repository inside the work tree, and nothing else, with a slash at the end.
  if (path.endsWith('/')) return 'it is a git repository of its own';
  if (path.includes('\uFFFD')) return 'its name is not UTF-8 text';
  const stat = await lstat(full).catch(() => undefined);
  if (stat === undefined || stat.isSymbolicLink() || stat.isDirectory()) return undefined;
  if (!stat.isFile()) return 'it is neither a file nor a link';
  if (stat.size > largest) return `it is larger than ${Math.round(largest / 2 ** 20)} MB`;
  return undefined;
}

function namesIn(output: string): string[] {
  return output.split('\0').filter((name) => name !== '');
}
