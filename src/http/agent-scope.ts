import { Failure } from '../protocol/failure.js';
import type { UserItem } from '../protocol/item.js';
import type { Posture } from '../protocol/posture.js';
import type { Identity } from './tokens.js';

const unasked = new Set<string | undefined>(['bypassPermissions', 'dontAsk']);

/** An agent may give work to others, not the right to do it without a person being asked. */
export function refuseAutonomy(
  { scope }: Identity,
  request: { readonly permissions?: string | undefined; readonly posture?: Posture | undefined },
): void {
  if (scope !== 'agent') return;
  // A command asks nobody about anything.
  const isAutonomous = request.permissions === 'autonomous' || request.posture?.command !== undefined;
  if (!isAutonomous && !unasked.has(request.posture?.permissionMode)) return;
  throw new Failure('forbidden', 'With a token of scope agent, work cannot be given autonomous permissions.');
}

/** What an agent posts is a message for later; it never answers a question that is meant for a person. */
export function itemFrom({ scope }: Identity, item: UserItem): UserItem {
  if (scope !== 'agent') return item;
  if (item.metadata?.prompt !== undefined) {
    throw new Failure('forbidden', 'A token of scope agent may not answer prompts; a person has to.');
  }
  return { ...item, metadata: { ...item.metadata, queue: true } };
}
