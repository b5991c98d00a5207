import { lstat, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isInside } from '../../domain/worktree/script-files.js';
import { readBoundedBytes } from '../../process/files/bounded-file.js';
import { errnoOf } from '../../process/files/errno.js';
import type { Git } from '../../process/git/git.js';

const largest = 10 * 2 ** 20;

/** What a worktree got from the checkout that it comes from, and what it did not get, with why. */
export interface CopyReport {
  readonly copied: readonly string[];
  readonly refused: readonly { readonly path: string; readonly why: string }[];
}

/**
 * Copies files that git ignores, such as `.env`. What git does not ignore would become part of the agent's work and be
 * committed with it. A file that is there stays; a link is followed neither where a file comes from nor where it goes.
 */
export async function copyFiles(
  paths: readonly string[],
  { from, to, git }: { readonly from: string; readonly to: string; readonly git: Git },
): Promise<CopyReport> {
  const copied: string[] = [];
  const refused: { path: string; why: string }[] = [];
  for (const path of paths) {
    const why = await copyFile(path, { from, to, git });
    if (why === null) copied.push(path);
    else if (why !== 'there') refused.push({ path, why });
  }
  return { copied, refused };
}

async function copyFile(
  path: string,
  { from, to, git }: { readonly from: string; readonly to: string; readonly git: Git },
): Promise<string | null> {
  if (!isInside(path)) return 'it is not a path inside of the repository';
  if (await lstat(join(to, path)).catch(() => undefined)) return 'there';
  if ((await isBelowOther(from, path)) || (await isBelowOther(to, path)))
    return 'a folder on its way is a link';
  let mode = 0o600;
  const read = readBoundedBytes(join(from, path), {
    limit: largest,
    followLink: false,
    check: (opened) => {
      mode = opened.mode & 0o700;
      return null;
    },
  });
  if (!read.ok) return read.missing ? 'it does not exist' : read.error;
  const ignored = await git.run(['check-ignore', '--quiet', '--', path]);
  if (ignored.code !== 0)
    return 'git does not ignore it, so it would become part of the work; add it to .gitignore';
  await mkdir(dirname(join(to, path)), { recursive: true });
  try {
    await using file = await open(join(to, path), 'wx', mode);
    await file.writeFile(read.bytes);
  } catch (error) {
    return errnoOf(error) === 'EEXIST' ? 'there' : `it cannot be written (${errnoOf(error) ?? 'unknown'})`;
  }
  return null;
}

/** Whether something on the way to a file is there and is no folder. */
async function isBelowOther(root: string, path: string): Promise<boolean> {
  const parts = path.split('/').slice(0, -1);
  for (const [index] of parts.entries()) {
    const found = await lstat(join(root, ...parts.slice(0, index + 1))).catch(() => undefined);
    if (found === undefined) return false;
    if (!found.isDirectory()) return true;
  }
  return false;
}
