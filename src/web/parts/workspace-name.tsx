import type { ReactNode } from 'react';
import { plainLine } from '../../domain/words/plain-text.js';
import type { Workspace } from '../../protocol/workspace.js';

/** The folder's own name and its branch; the whole path is the title. A worktree's folder is named after its thread, which says nothing. */
export function WorkspaceName({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const { path, branch, worktree } = workspace;
  const name = folderName({ path, branch, worktree });
  return (
    <span className="fact workspace" title={plainLine(path)}>
      {name}
      {branch !== undefined && <span className="branch"> ⎇ {plainLine(branch)}</span>}
    </span>
  );
}

/** A folder's own name; a worktree's folder is named after its thread. */
export function folderName({ path, branch, worktree }: Workspace): string {
  if (worktree === true && branch !== undefined) return 'worktree';
  return plainLine(path.split('/').findLast((part) => part !== '') ?? path);
}
