import { type EndedLanding, settledAfter } from '../../domain/landing/settled-work.js';
import { given } from '../../protocol/given.js';
import type { DispatchId, ThreadId } from '../../protocol/id.js';
import type { Operation } from '../../store/operation.js';
import type { Store } from '../../store/store.js';
import type { ThreadState } from '../threads/thread-state.js';

/** The last piece of work of a thread that has ended: what a landing holds. */
export async function lastEnded(store: Store, threadId: ThreadId): Promise<DispatchId | undefined> {
  const { rows } = await store.query('dispatches', {
    threadId,
    state: 'ended',
    order: 'newest_first',
    limit: 1,
  });
  return rows[0]?.id;
}

/** Notes with a thread what became of its work, and up to which commit it is landed. */
export function settleThread(
  state: ThreadState,
  landing: EndedLanding & { readonly landed?: string | undefined },
  dispatchId: DispatchId | undefined,
): { readonly operations: readonly Operation[]; readonly state: ThreadState } {
  const { thread } = state;
  if (!thread.origin) return { operations: [], state };
  const { settled: before, ...rest } = thread.origin;
  const settled = settledAfter(landing, { before, dispatchId });
  if (settled === before && landing.landed === undefined) return { operations: [], state };
  const origin = { ...rest, ...given({ settled }), ...given({ landed: landing.landed }) };
  const { settled: _before, ...unsettled } = thread;
  return {
    operations: [{ do: 'patchThread', threadId: thread.id, patch: { origin } }],
    state: { ...state, thread: { ...unsettled, origin, ...given({ settled }) } },
  };
}
