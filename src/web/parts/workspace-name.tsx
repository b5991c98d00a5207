import type { ReactNode } from 'react';
import { plainLine } from '../../domain/plain-text.js';
import type { Workspace } from '../../protocol/workspace.js';

/** The folder's own name and its branch; the whole path is the title. */
export function WorkspaceName({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const { path, branch } = workspace;
  const name = plainLine(path.split('/').findLast((part) => part !== '') ?? path);
  return (
    <span className="fact workspace" title={plainLine(path)}>
      {name}
      {branch !== undefined && <span className="branch"> ⎇ {plainLine(branch)}</span>}
    </span>
  );
}
