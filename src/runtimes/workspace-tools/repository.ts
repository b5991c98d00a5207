import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import { firstLine, Git } from './git.js';
import { type GitStatus, parseGitStatus } from './git-status.js';
import { Refusal } from './refusal.js';
import type { Workspace } from './workspace.js';

/** The git repository around a workspace, as it was when it was asked. */
export interface Repository extends GitStatus {
  readonly workspace: Workspace;
  readonly git: Git;
  /** The status was longer than we keep, so the counts are a lower bound. */
  readonly truncated: boolean;
}

/** The workspace's repository, or the reason why there is none to use. */
export async function findRepository(
  workspace: Workspace,
): Promise<Repository | { readonly missing: string }> {
  const git = await Git.open(workspace);
  const top = await git.run(['rev-parse', '--show-toplevel']);
  if (top.code !== 0) return { missing: firstLine(top.stderr) };
  // With `core.worktree` a repository's config can point git at any folder of the machine.
  if (!contains(top.stdout.replace(/\n$/, ''), await realpath(workspace.cwd))) {
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
  return { workspace, git, truncated: status.truncated, ...parseGitStatus(status.stdout) };
}

/** The workspace's repository, for tools that can do nothing without one. */
export async function requireRepository(workspace: Workspace): Promise<Repository> {
  const found = await findRepository(workspace);
  if ('missing' in found) throw new Refusal(`The workspace has no usable git repository: ${found.missing}.`);
  return found;
}

function contains(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
