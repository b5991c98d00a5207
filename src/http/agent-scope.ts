import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import type { Actor, WorkTerms } from '../host/host.js';
import type { DispatchRequest } from '../protocol/dispatch.js';
import { Failure } from '../protocol/failure.js';
import type { UserItem } from '../protocol/item.js';
import { actorOf } from './api-env.js';
import { approvesEverything } from './scope-door.js';
import type { Identity } from './token-grant.js';

/** Work as the host gets it: a person is asked about that of whoever may not approve, and an agent's is in its own workspace. */
export function workFrom(identity: Identity, request: DispatchRequest): DispatchRequest {
  if (approvesEverything(identity)) return request;
  if (request.thread !== undefined || !request.workspace) return { ...request, ...landingFrom(identity) };
  if (identity.scope !== 'agent') return { ...request, permissions: 'approval' };
  const { workspace } = identity;
  if ('repo' in request.workspace)
    throw new Failure('forbidden', 'This token may start work only in its folder, and in no repository.');
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

/** Work in a thread that is there could be pushed by itself once it succeeded; whoever may not approve gets it kept for a person. */
export function landingFrom(identity: Identity): WorkTerms {
  return approvesEverything(identity) ? {} : { onSuccess: 'keep' };
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

/** What somebody posts who may not answer everything is a message for later, unless it names the prompt that it answers. */
export function itemFrom(identity: Identity, item: UserItem): UserItem {
  const isForAll = approvesEverything(identity) && identity.may.includes('answer');
  const isNamed = identity.scope !== 'agent' && item.metadata?.prompt !== undefined;
  return isForAll || isNamed ? item : { ...item, metadata: { queue: true } };
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
