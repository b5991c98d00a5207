import type { ReactNode } from 'react';
import { shortPlace } from '../../domain/words/place-words.js';
import { plainLine } from '../../domain/words/plain-text.js';
import type { Workspace } from '../../protocol/workspace.js';

/** The name of the project and its branch; the whole path is the title. */
export function WorkspaceName({ workspace }: { readonly workspace: Workspace }): ReactNode {
  const { path, branch } = workspace;
  return (
    <span className="fact workspace" title={plainLine(path)}>
      {shortPlace(workspace)}
      {branch !== undefined && <span className="branch"> ⎇ {plainLine(branch)}</span>}
    </span>
  );
}
