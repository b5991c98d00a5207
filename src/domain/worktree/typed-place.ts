import { GitRef, type WorkspaceRequest } from '../../protocol/workspace.js';
import { type RepositoryProtocol, repositoryAddress } from './repository-address.js';

// The worker says which of them it allows.
const every: readonly RepositoryProtocol[] = ['https', 'ssh', 'http', 'git', 'file'];

/** Where work is to be done, as a person types it: the path of a folder, or ADDRESS or ADDRESS#REF of a repository. */
export function typedPlace(text: string): WorkspaceRequest | null {
  const place = text.trim();
  if (place.startsWith('/')) return { path: place };
  const [repo = '', ref, ...more] = place.split('#');
  if (more.length > 0 || (ref !== undefined && !GitRef.safeParse(ref).success)) return null;
  if ('refused' in repositoryAddress(repo, every)) return null;
  return { repo, ...(ref !== undefined && { ref }) };
}

/** Work that begins with @ADDRESS or @ADDRESS#REF is for that repository. */
export function placedWork(text: string): { readonly text: string; readonly place?: WorkspaceRequest } {
  const [, typed = '', rest = ''] = /^@(\S{1,2300})\s+(\S[\s\S]*)$/.exec(text.trim()) ?? [];
  const place = typed === '' || typed.startsWith('/') ? null : typedPlace(typed);
  return place && 'repo' in place ? { text: rest, place } : { text };
}
