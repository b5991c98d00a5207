import type { Workspace, WorkspaceRequest } from '../../protocol/workspace.js';
import { repositoryName } from '../worktree/repository-address.js';
import { plainLine } from './plain-text.js';

/** Where work is to be done, as one line. */
export function requestedPlace(workspace: WorkspaceRequest): string {
  if ('repo' in workspace) return repositoryPlace(workspace);
  return plainLine(`${workspace.path}${workspace.worktree ? ' (worktree)' : ''}`);
}

/** Where an agent works, as one line. */
export function workPlace({ path, worktree, branch, repo, ref }: Workspace): string {
  const on = branch === undefined ? '' : ` on ${branch}`;
  if (repo === undefined) return plainLine(`${path}${worktree ? ' (worktree)' : ''}${on}`);
  const where = branch === undefined ? '' : `, in ${path}`;
  return `${repositoryPlace({ repo, ref })}${plainLine(`${on}${where}`)}`;
}

/** A folder or a repository in a word or two. A worktree's own folder is named after its thread, which says nothing. */
export function shortPlace({
  path,
  worktree,
  branch,
  project,
  repo,
}: Pick<Workspace, 'path' | 'worktree' | 'branch' | 'project' | 'repo'>): string {
  if (repo !== undefined) return plainLine(repositoryName(repo), { maxLength: 100 });
  if (worktree === true && branch !== undefined && project === undefined) return 'worktree';
  const folder = project ?? path;
  return plainLine(folder.split('/').findLast((part) => part !== '') ?? folder, { maxLength: 100 });
}

function repositoryPlace({
  repo,
  ref,
}: {
  readonly repo: string;
  readonly ref?: string | undefined;
}): string {
  return plainLine(`${repo}${ref === undefined ? '' : ` at ${ref}`}`);
}
