import { workspaceInside } from './container-arguments.js';

/** Where the agent of a thread works, as far as is known. */
interface Place {
  readonly workspace?: { readonly path: string } | undefined;
  readonly container?: object | undefined;
}

/** The folder of a thread by the name that its agent has for it: paths in what the agent says and asks begin with it. */
export function seenFolder(thread: Place & { readonly workspace: { readonly path: string } }): string;
export function seenFolder(thread: Place | undefined): string | undefined;
export function seenFolder(thread: Place | undefined): string | undefined {
  return thread?.container ? workspaceInside : thread?.workspace?.path;
}
