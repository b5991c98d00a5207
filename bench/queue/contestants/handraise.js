import { PostgresStore } from '../../../dist/store/postgres/postgres-store.js';
import { benchWorker, queuedRow, threadRow } from '../../shared/rows.js';

const fillAtOnce = 200;
const leaseMs = 60_000;
const outcome = /** @type {const} */ ({
  result: 'succeeded',
  exitCode: 0,
  retriable: false,
  execution: { kind: 'completed' },
  claim: 'success',
  verification: 'not_run',
});

/**
 * Our store through its port. A claim looks at priority and age, at the order of a thread, at workspaces, usage limits and
 * terminals, and takes a lease with an epoch. A completion is refused unless that lease is still held; it writes the outcome
 * and lets go of the lease. With `overlaps` a worker asks for its next job in the moment in which it hands in its last one. `whole` also begins and ends a try and appends both events to the thread, as the dispatcher does.
 * @param {import('./contestant.js').Task & { readonly whole?: boolean, readonly overlaps?: boolean }} task
 * @returns {Promise<import('./contestant.js').Contestant>}
 */
export async function openHandraise({ url, jobs, loops, batch, done, whole = false, overlaps = false }) {
  const store = await PostgresStore.open({ url, worker: benchWorker() });
  for (let filled = 0; filled < jobs; filled += fillAtOnce)
    await Promise.all(
      Array.from({ length: Math.min(fillAtOnce, jobs - filled) }, async (_, index) => {
        const createdAt = new Date().toISOString();
        const thread = threadRow({ path: `/work/${store.worker.id}/${filled + index}`, createdAt });
        await commit(store, [
          { do: 'insertThread', thread },
          { do: 'insertDispatch', dispatch: queuedRow({ threadId: thread.id, createdAt }) },
        ]);
      }),
    );

  const endAll = async (/** @type {Awaited<ReturnType<typeof claim>>} */ claimed) => {
    await Promise.all(claimed.map(async (dispatch) => await end(store, dispatch, whole)));
    done(claimed.length);
  };
  const loop = async () => {
    /** @type {Promise<void> | undefined} */
    let ending;
    for (;;) {
      const claimed = await claim(store, batch);
      await ending;
      if (claimed.length === 0) return;
      ending = endAll(claimed);
      if (!overlaps) await ending;
    }
  };
  return {
    work: async () => void (await Promise.all(Array.from({ length: loops }, loop))),
    close: async () => await store.close(),
  };
}

/** @param {PostgresStore} store @param {number} limit */
async function claim(store, limit) {
  const now = new Date();
  const until = new Date(now.getTime() + leaseMs).toISOString();
  const result = await store.commit({
    operations: [{ do: 'claimDispatches', limit, now: now.toISOString(), until }],
  });
  if (!result.committed) throw new Error(`refused: ${JSON.stringify(result.refusal)}`);
  return result.results[0];
}

/** @param {PostgresStore} store @param {import('../../../dist/store/stored-dispatch.js').StoredDispatch} dispatch @param {boolean} whole */
async function end(store, { id, threadId, lease }, whole) {
  if (!lease) throw new Error(`${id} was claimed without a lease`);
  const held = { dispatchId: id, epoch: lease.epoch };
  const at = new Date().toISOString();
  if (whole)
    await commit(
      store,
      [
        { do: 'startAttempt', dispatchId: id, at },
        {
          do: 'appendEvents',
          threadId,
          events: [eventOf({ type: 'dispatch_started', dispatchId: id, attempt: 1 }, at)],
        },
      ],
      { lease: held, own: threadId },
    );
  await commit(
    store,
    [
      ...(whole
        ? [
            /** @type {const} */ ({ do: 'endAttempt', dispatchId: id, attempt: 1, at, outcome }),
            /** @type {const} */ ({
              do: 'appendEvents',
              threadId,
              events: [eventOf({ type: 'dispatch_ended', dispatchId: id, outcome }, at)],
            }),
          ]
        : []),
      {
        do: 'patchDispatch',
        dispatchId: id,
        patch: { state: 'ended', outcome, endedAt: at, why: null },
        if: { state: ['running', 'waiting'] },
      },
      { do: 'releaseLease', ...held },
    ],
    { lease: held, own: threadId },
  );
}

/** @param {{ readonly type: string } & Record<string, unknown>} body @param {string} timestamp */
function eventOf(body, timestamp) {
  return { type: body.type, timestamp, json: JSON.stringify({ ...body, timestamp }) };
}

/**
 * @param {PostgresStore} store @param {readonly import('../../../dist/store/operation.js').Operation[]} operations
 * @param {Omit<import('../../../dist/store/unit.js').Unit, 'operations'>} fence
 */
async function commit(store, operations, fence = {}) {
  const result = await store.commit({ operations, ...fence });
  if (!result.committed) throw new Error(`refused: ${JSON.stringify(result.refusal)}`);
}
