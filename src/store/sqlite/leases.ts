import { type Selectable, sql } from 'kysely';
import { DispatchId, ThreadId } from '../../protocol/id.js';
import type { Lease } from '../lease.js';
import type { Changed, Operation } from '../operation.js';
import type { DispatchRow } from '../schema.js';
import type { StoredDispatch } from '../stored-dispatch.js';
import type { Connection } from './connection.js';
import { dispatchOf, updateDispatch } from './dispatches.js';
import { Refused } from './refused.js';
import type { Transaction } from './transaction.js';

type Row = Selectable<DispatchRow>;

export function claimDispatches(
  tx: Transaction,
  { limit, now, until }: Operation<'claimDispatches'>,
): StoredDispatch[] {
  const claimed: StoredDispatch[] = [];
  // One at a time, because each claim may close its thread and its workspace to the next.
  while (claimed.length < limit) {
    const row = nextClaimable(tx, now);
    if (!row) break;
    // Why it waited, and until when, is over.
    take(tx, row, { until, columns: { state: 'running', why: null, not_before: null } });
    claimed.push(dispatchOf(tx.connection, rowOf(tx.connection, row.id) ?? row));
  }
  return claimed;
}

export function acquireLease(tx: Transaction, { dispatchId, now, until }: Operation<'acquireLease'>): Lease {
  const row = existingRow(tx, dispatchId);
  const own = row.lease_worker === tx.worker.id;
  const ofFormerLife = own && (row.lease_worker_epoch ?? 0) < tx.worker.epoch;
  if (row.lease_until !== null && row.lease_until > now && !ofFormerLife) throw refusedBy(tx, row);
  return take(tx, row, { until, columns: {} });
}

export function renewLease(tx: Transaction, operation: Operation<'renewLease'>): Lease {
  const { dispatchId, epoch, until } = operation;
  const row = existingRow(tx, dispatchId);
  if (!holds(tx, row, epoch)) throw refusedBy(tx, row);
  updateDispatch(tx, ids(row), { lease_until: until });
  return { workerId: tx.worker.id, epoch, until };
}

export function releaseLease(tx: Transaction, { dispatchId, epoch }: Operation<'releaseLease'>): Changed {
  const row = existingRow(tx, dispatchId);
  if (!holds(tx, row, epoch)) throw refusedBy(tx, row);
  return updateDispatch(tx, ids(row), { lease_until: null });
}

/** What stands in the way of a unit that needs this lease; undefined when it is held. */
export function lostLease(
  tx: Transaction,
  lease: { readonly dispatchId: DispatchId; readonly epoch: number },
): { readonly current: StoredDispatch | null } | undefined {
  const row = rowOf(tx.connection, lease.dispatchId);
  if (!row) return { current: null };
  return holds(tx, row, lease.epoch) ? undefined : { current: dispatchOf(tx.connection, row) };
}

// An expired lease that nobody took is still the current one: the epoch decides, not this machine's clock.
function holds(tx: Transaction, row: Row, epoch: number): boolean {
  return row.lease_until !== null && row.lease_worker === tx.worker.id && row.lease_epoch === epoch;
}

function take(
  tx: Transaction,
  row: Row,
  { until, columns }: { readonly until: string; readonly columns: Partial<Row> },
): Lease {
  const epoch = row.lease_epoch + 1;
  updateDispatch(tx, ids(row), {
    ...columns,
    lease_worker: tx.worker.id,
    lease_worker_epoch: tx.worker.epoch,
    lease_epoch: epoch,
    lease_until: until,
  });
  return { workerId: tx.worker.id, epoch, until };
}

function nextClaimable(tx: Transaction, now: string): Row | undefined {
  // Literals, not parameters, where a partial index must recognise its own condition.
  const queued = sql.lit('queued');
  const ended = sql.lit('ended');
  const running = sql.lit('running');
  return tx.connection.first(
    tx.build
      // SQLite would take the index by state, look at everything that is queued, and sort it: 1.7 ms for 1,000 rows
      // against 0.02 ms with the index that has the order.
      .selectFrom(sql<Row>`dispatches`.as<'d'>(sql`d indexed by queued_dispatches`))
      .innerJoin('threads as t', 't.id', 'd.thread_id')
      .selectAll('d')
      .where('d.state', '=', queued)
      .where((its) => its.or([its('d.not_before', 'is', null), its('d.not_before', '<=', now)]))
      .where((its) =>
        its.not(
          its.exists(
            its
              .selectFrom('dispatches as earlier')
              .select('earlier.n')
              .whereRef('earlier.thread_id', '=', 'd.thread_id')
              .whereRef('earlier.n', '<', 'd.n')
              .where('earlier.state', '<>', ended),
          ),
        ),
      )
      .where((its) =>
        its.not(
          its.exists(
            its
              .selectFrom('threads as other')
              .select('other.n')
              .whereRef('other.exclusive_path', '=', 't.exclusive_path')
              .whereRef('other.id', '<>', 't.id')
              .where((their) =>
                their.or([
                  their.exists(
                    their
                      .selectFrom('runs')
                      .select('runs.n')
                      .whereRef('runs.thread_id', '=', 'other.id')
                      .where('runs.ended_at', 'is', null),
                  ),
                  their.exists(
                    their
                      .selectFrom('dispatches as live')
                      .select('live.n')
                      .whereRef('live.thread_id', '=', 'other.id')
                      .where('live.state', '<>', ended)
                      .where('live.state', '=', running),
                  ),
                ]),
              ),
          ),
        ),
      )
      .orderBy('d.priority', 'desc')
      .orderBy('d.n')
      .limit(1),
  );
}

function existingRow(tx: Transaction, dispatchId: DispatchId): Row {
  const row = rowOf(tx.connection, dispatchId);
  if (!row) throw new Refused(null);
  return row;
}

function rowOf(connection: Connection, dispatchId: string): Row | undefined {
  return connection.first(connection.build.selectFrom('dispatches').selectAll().where('id', '=', dispatchId));
}

function ids(row: Row) {
  return { id: DispatchId.parse(row.id), threadId: ThreadId.parse(row.thread_id) };
}

function refusedBy(tx: Transaction, row: Row): Refused {
  return new Refused({ dispatch: dispatchOf(tx.connection, row) });
}
