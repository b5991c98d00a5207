import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import type { Actor } from '../host/host.js';
import type { DispatchRequest } from '../protocol/dispatch.js';
import { Failure } from '../protocol/failure.js';
import type { UserItem } from '../protocol/item.js';
import { actorOf } from './api-env.js';
import type { Identity } from './tokens.js';

/** Work as the host gets it: that of an agent is in its own workspace, and a person is asked. */
export function workFrom(identity: Identity, request: DispatchRequest): DispatchRequest {
  if (identity.scope !== 'agent' || request.thread !== undefined || !request.workspace) return request;
  const { workspace } = identity;
  if (workspace === undefined || realPath(request.workspace.path) !== workspace) {
    throw new Failure(
      'forbidden',
      workspace === undefined
        ? 'This token has no workspace. Make one that has: handraise token add NAME --agent --workspace DIR'
        : `This token may start work only in ${workspace}.`,
    );
  }
  return { ...request, workspace: { ...request.workspace, path: workspace }, permissions: 'approval' };
}

/** Whose work is this token's own; what an earlier one of the same name gave is not. */
export function giverOf(identity: Identity): { readonly actor: Actor; readonly since: string } {
  return { actor: actorOf(identity), since: identity.createdAt ?? '' };
}

/** Keys of agents are their own: with a key of somebody else they would find somebody else's work. */
export function keyFrom(identity: Identity, key: string | undefined): string | undefined {
  if (identity.scope !== 'agent' || key === undefined) return key;
  return `agent-${createHash('sha256').update(`${identity.digest} ${key}`).digest('hex')}`;
}

/** What an agent posts is a message for later; it never answers a question that is meant for a person. */
export function itemFrom({ scope }: Identity, item: UserItem): UserItem {
  return scope === 'agent' ? { ...item, metadata: { queue: true } } : item;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
