import { remoteAddress } from '../../domain/landing/remote-address.js';
import { nameUuid } from '../../process/name-uuid.js';
import type { OnSuccess } from '../../protocol/dispatch.js';
import type { Outcome } from '../../protocol/outcome.js';
import type { Operation } from '../../store/operation.js';
import type { StoredDispatch } from '../../store/stored-dispatch.js';
import type { ThreadState } from '../threads/thread-state.js';

/**
 * What was asked for with the work is stored together with its success, and so it is not forgotten. Work of a repository is pushed
 * unless it says otherwise: what only one worker has would be lost with that worker.
 */
export function askedLanding(
  { id, threadId, actor, request }: StoredDispatch,
  patch: { readonly state: string; readonly outcome?: Outcome },
  { state: { thread }, at }: { readonly state: ThreadState; readonly at: string },
): Operation[] {
  const { onSuccess = usual(thread.workspace.repo) } = request;
  if (onSuccess === 'keep' || patch.outcome?.result !== 'succeeded') return [];
  const landing = {
    id: nameUuid(`${id} on success`, 8),
    threadId,
    kind: onSuccess,
    state: 'begun',
    sentence: '',
    actor,
    afterDispatch: id,
    createdAt: at,
  } as const;
  return [{ do: 'putLanding', landing }];
}

/** What can be fetched cannot always be pushed to: git:// cannot. */
function usual(repo: string | undefined): OnSuccess {
  return repo === undefined || remoteAddress(repo).kind === 'unusable' ? 'keep' : 'push';
}
