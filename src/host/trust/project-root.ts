import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readBoundedFile } from '../../process/files/bounded-file.js';

const POINTER_LIMIT = 8 * 1024;

/** What a project is known by: the git directory that all of its worktrees share, or its own folder. */
export interface ProjectRoot {
  readonly key: string;
  /** The folder of its work tree, which may be above the one that was asked about. */
  readonly top: string;
}

/**
 * Finds the place of a project.
 * Read by hand and not with git, because a foreign folder can name any repository as its own: only a worktree that the
 * repository names in turn shares the repository's place.
 */
export async function projectRoot(path: string): Promise<ProjectRoot> {
  const real = await realpath(path);
  for (let top = real; ; top = dirname(top)) {
    const git = join(top, '.git');
    const stat = await lstat(git).catch(() => undefined);
    if (stat?.isDirectory()) return { key: git, top };
    if (stat?.isFile()) return { key: (await sharedGitDir(git)) ?? top, top };
    if (dirname(top) === top) return { key: real, top: real };
  }
}

async function sharedGitDir(gitFile: string): Promise<string | undefined> {
  const gitDir = pointer(gitFile, dirname(gitFile), /^gitdir: (.+)$/);
  if (gitDir === undefined) return undefined;
  const back = pointer(join(gitDir, 'gitdir'), gitDir, /^(.+)$/);
  if (back === undefined || (await real(back)) !== (await real(gitFile))) return undefined;
  const shared = pointer(join(gitDir, 'commondir'), gitDir, /^(.+)$/);
  return shared === undefined ? undefined : await real(shared);
}

function pointer(file: string, from: string, pattern: RegExp): string | undefined {
  const read = readBoundedFile(file, { limit: POINTER_LIMIT, followLink: false });
  const target = read.ok ? pattern.exec(read.text.replace(/\n$/, ''))?.[1] : undefined;
  return target === undefined ? undefined : resolve(from, target);
}

async function real(path: string): Promise<string | undefined> {
  return await realpath(path).catch(() => undefined);
}
