import type { Selectable } from 'kysely';
import type { DispatchId } from '../../protocol/id.js';
import type { Lease } from '../lease.js';
import type { Changed, Operation } from '../operation.js';
import type { StoredDispatch } from '../stored-dispatch.js';
import { claimableIds } from './claimable.js';
import { dispatchesOf, dispatchOf, idsOf, tellOf, updateDispatch } from './dispatches.js';
import type { DispatchRow } from './schema.js';
import { all, type Steps } from './steps.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

type Row = Selectable<DispatchRow>;

/**
 * Takes the work that may start now: the highest priority first, then the oldest, and of these the first
 * - whose time has come,
 * - whose thread has nothing earlier that has not ended,
 * - whose thread is in nobody's terminal,
 * - of whose account (of the same runtime) no work waits for a usage limit,
 * - in whose workspace no other thread is at work: none has a run that lives, a terminal, or a dispatch that runs.
 */
export function* claimDispatches(
  tx: Transaction,
  { limit, now, until, including }: Operation<'claimDispatches'>,
): Steps<StoredDispatch[]> {
  const claimed: StoredDispatch[] = [];
  while (claimed.length < limit) {
    const taken = yield* takeQueued(tx, { now, limit: limit - claimed.length, until });
    if (taken.length === 0) break;
    claimed.push(...taken);
  }
  if (including !== undefined && claimed.every(({ id }) => id !== including))
    throw yield* refusedBy(tx, yield* existingRow(tx, including));
  return claimed;
}

/** Finds and takes in one statement. */
function* takeQueued(
  tx: Transaction,
  { now, limit, until }: Omit<Operation<'claimDispatches'>, 'do' | 'including'>,
): Steps<StoredDispatch[]> {
  const rows = yield* all(
    tx.build
      .updateTable('dispatches')
      .set((its) => ({
        state: 'running',
        // Why it waited, and until when, is over.
        why: null,
        not_before: null,
        waits_for: null,
        ...leaseOf(tx, until),
        lease_epoch: its('lease_epoch', '+', 1),
      }))
      .where(tx.dialect.isAmong('id', claimableIds(tx, { now, limit })))
      .returningAll(),
  );
  for (const row of rows) tellOf(tx, row);
  const inOrder = rows.toSorted((one, other) => other.priority - one.priority || one.n - other.n);
  return yield* dispatchesOf(tx, inOrder, mayBeTried);
}

/** A try begins under a lease, so that what is taken for the first time has none. */
function mayBeTried(row: Row): boolean {
  return row.lease_epoch > 1;
}

export function* acquireLease(
  tx: Transaction,
  { dispatchId, now, until }: Operation<'acquireLease'>,
): Steps<Lease> {
  const row = yield* existingRow(tx, dispatchId);
  // What was read before may have ended since, or wait for another try: then there is nothing to go on with.
  if (row.state !== 'running' && row.state !== 'waiting') throw yield* refusedBy(tx, row);
  const own = row.lease_worker === tx.worker.id;
  const ofFormerLife = own && (row.lease_worker_epoch ?? 0) < tx.worker.epoch;
  if (row.lease_until !== null && row.lease_until > now && !ofFormerLife) throw yield* refusedBy(tx, row);
  return take(tx, row, until);
}

export function* renewLease(tx: Transaction, operation: Operation<'renewLease'>): Steps<Lease> {
  const { dispatchId, epoch, until } = operation;
  const row = yield* existingRow(tx, dispatchId);
  if (!holds(tx, row, epoch)) throw yield* refusedBy(tx, row);
  updateDispatch(tx, idsOf(row), { lease_until: until });
  return { workerId: tx.worker.id, epoch, until };
}

export function* releaseLease(
  tx: Transaction,
  { dispatchId, epoch }: Operation<'releaseLease'>,
): Steps<Changed> {
  const row = yield* existingRow(tx, dispatchId);
  if (!holds(tx, row, epoch)) throw yield* refusedBy(tx, row);
  return updateDispatch(tx, idsOf(row), { lease_until: null });
}

/** What stands in the way of a unit that needs this lease; undefined when it is held. */
export function* lostLease(
  tx: Transaction,
  lease: { readonly dispatchId: DispatchId; readonly epoch: number },
): Steps<{ readonly current: StoredDispatch | null } | undefined> {
  const row = yield* tx.dispatches.read(tx, lease.dispatchId);
  if (!row) return { current: null };
  return holds(tx, row, lease.epoch) ? undefined : { current: yield* dispatchOf(tx, row) };
}

// An expired lease that nobody took is still the current one: the epoch decides, not this machine's clock.
function holds(tx: Transaction, row: Row, epoch: number): boolean {
  return row.lease_until !== null && row.lease_worker === tx.worker.id && row.lease_epoch === epoch;
}

function take(tx: Transaction, row: Row, until: string): Lease {
  const epoch = row.lease_epoch + 1;
  updateDispatch(tx, idsOf(row), { ...leaseOf(tx, until), lease_epoch: epoch });
  return { workerId: tx.worker.id, epoch, until };
}

function leaseOf({ worker }: Transaction, until: string) {
  return { lease_worker: worker.id, lease_worker_epoch: worker.epoch, lease_until: until };
}

function* existingRow(tx: Transaction, dispatchId: DispatchId): Steps<Row> {
  const row = yield* tx.dispatches.read(tx, dispatchId);
  if (!row) throw new UnitRefused(null);
  return row;
}

function* refusedBy(tx: Transaction, row: Row): Steps<UnitRefused> {
  return new UnitRefused({ dispatch: yield* dispatchOf(tx, row) });
}
