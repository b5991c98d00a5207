import { mendedWait } from '../../domain/dispatch/deferral.js';
import type { ThreadId } from '../../protocol/id.js';
import type { Store } from '../../store/store.js';
import type { StoredDispatch } from '../../store/stored-dispatch.js';

/**
 * A usage limit is the account's: what is due and uses the same account of the same runtime waits for the same moment, and says so.
 * Everything else goes on. The store gives out no such work meanwhile, whether or not somebody was here to say why.
 */
export async function holdForQuota(
  store: Store,
  {
    queued,
    due,
    at,
  }: {
    readonly queued: readonly StoredDispatch[];
    readonly due: readonly StoredDispatch[];
    readonly at: string;
  },
): Promise<readonly StoredDispatch[]> {
  const limits = new Map<string, string>();
  for (const { waitsFor, notBefore, threadId } of queued) {
    if (waitsFor !== 'quota' || notBefore === undefined || notBefore <= at) continue;
    const { account } = await payerOf(store, threadId);
    if (notBefore > (limits.get(account) ?? '')) limits.set(account, notBefore);
  }
  if (limits.size === 0) return due;
  const others: StoredDispatch[] = [];
  for (const dispatch of due) {
    const { account, runtime } = await payerOf(store, dispatch.threadId);
    const notBefore = limits.get(account);
    if (notBefore === undefined) {
      others.push(dispatch);
      continue;
    }
    const patch = { notBefore, why: `the usage limit of ${runtime} was reached`, waitsFor: 'quota' } as const;
    await store.commit({
      operations: [{ do: 'patchDispatch', dispatchId: dispatch.id, patch, if: { state: ['queued'] } }],
    });
  }
  return others;
}

/** Whose usage the work of a thread counts as. */
async function payerOf(store: Store, threadId: ThreadId): Promise<{ account: string; runtime: string }> {
  const { runtime = '', account = '' } = (await store.query('thread', { id: threadId })) ?? {};
  return { account: `${runtime} ${account}`, runtime };
}

/** Waits that were counted by a clock that has been put back since; what waits for the same moment goes with them. */
export async function mendWaits(
  store: Store,
  queued: readonly StoredDispatch[],
  now: number,
): Promise<readonly StoredDispatch[]> {
  const mended = new Map<string, string>();
  for (const dispatch of queued) {
    const moment = mendedWait(dispatch, now);
    if (moment !== null && dispatch.notBefore !== undefined) mended.set(dispatch.notBefore, moment);
  }
  if (mended.size === 0) return queued;
  const all: StoredDispatch[] = [];
  for (const dispatch of queued) {
    const notBefore = mended.get(dispatch.notBefore ?? '');
    const isConcerned = dispatch.attempts.length > 0 || dispatch.waitsFor !== undefined;
    if (notBefore === undefined || !isConcerned) {
      all.push(dispatch);
      continue;
    }
    const patch = { notBefore };
    await store.commit({
      operations: [{ do: 'patchDispatch', dispatchId: dispatch.id, patch, if: { state: ['queued'] } }],
    });
    all.push({ ...dispatch, notBefore });
  }
  return all;
}
