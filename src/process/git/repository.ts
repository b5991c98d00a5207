import { lstat, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { RefusalError } from '../files/refusal.js';
import { firstLine, Git, type GitPlace } from './git.js';
import { type GitStatus, parseGitStatus } from './git-status.js';

/** The git repository around a folder, as it was when it was asked. */
export interface Repository extends GitStatus {
  /** The folder that was asked about: the top of the work tree, or one below it. */
  readonly cwd: string;
  readonly git: Git;
  /** The status was longer than we keep, so the counts are a lower bound. */
  readonly truncated: boolean;
}

/** The repository of a folder, or the reason why there is none to use. */
export async function findRepository(place: GitPlace): Promise<Repository | { readonly missing: string }> {
  // Two processes less for every folder without one, and a new thread waits for its answer.
  if (place.gitDir === undefined && !(await isBelowGit(place.cwd))) return { missing: notThere };
  const git = await Git.open(place);
  const top = await git.run(['rev-parse', '--show-toplevel']);
  if (top.code !== 0) return { missing: firstLine(top.stderr) };
  // With `core.worktree` a repository's config can point git at any folder of the machine.
  if (!contains(top.stdout.replace(/\n$/, ''), await realpath(place.cwd))) {
    return { missing: 'the repository keeps its work tree outside the workspace' };
  }
  const status = await git.run([
    'status',
    '--porcelain=v2',
    '--branch',
    '-z',
    '--untracked-files=normal',
    // A submodule is asked by a git of its own, without our settings.
    '--ignore-submodules=dirty',
    '--',
    '.',
  ]);
  if (status.code !== 0) return { missing: firstLine(status.stderr) };
  return { cwd: place.cwd, git, truncated: status.truncated, ...parseGitStatus(status.stdout) };
}

/** The repository of a folder, for callers that can do nothing without one. */
export async function requireRepository(place: GitPlace): Promise<Repository> {
  const found = await findRepository(place);
  if ('missing' in found)
    throw new RefusalError(`The workspace has no usable git repository: ${found.missing}.`);
  return found;
}

/** Git's own words. */
const notThere = 'not a git repository (or any of the parent directories): .git';

/** Whether git would find anything from here upward; what it makes of that is its own affair. */
async function isBelowGit(cwd: string): Promise<boolean> {
  for (let folder = await realpath(cwd).catch(() => null); folder !== null; folder = dirname(folder)) {
    if (await lstat(join(folder, '.git')).catch(() => null)) return true;
    if (folder === dirname(folder)) return false;
  }
  // A folder that cannot be looked into is left to git.
  return true;
}

function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
