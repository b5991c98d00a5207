import type { ReactNode } from 'react';
import { plainLine } from '../../domain/words/plain-text.js';
import type { Workspace } from '../../protocol/workspace.js';

/** The folder's own name and its branch; the whole path is the title. A worktree's folder is named after its thread, which says nothing. */
export function WorkspaceName({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const { path, branch, worktree } = workspace;
  const isOwn = worktree === true && branch !== undefined;
  const name = isOwn ? 'worktree' : plainLine(path.split('/').findLast((part) => part !== '') ?? path);
  return (
    <span className="fact workspace" title={plainLine(path)}>
      {name}
      {branch !== undefined && <span className="branch"> ⎇ {plainLine(branch)}</span>}
    </span>
  );
}
