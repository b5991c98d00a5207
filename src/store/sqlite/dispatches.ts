import type { Selectable } from 'kysely';
import type { DispatchId, ThreadId } from '../../protocol/id.js';
import type { Changed, Operation } from '../operation.js';
import type { Page } from '../page.js';
import type { InputOf } from '../query.js';
import type { DispatchRow } from '../schema.js';
import { StoredDispatch } from '../stored-dispatch.js';
import { readAttempts } from './attempts.js';
import type { Connection } from './connection.js';
import { fromJson, present, toJson } from './json-column.js';
import { prefixRange, readPage } from './paging.js';
import { Refused } from './refused.js';
import type { Transaction } from './transaction.js';

export function insertDispatch(tx: Transaction, { dispatch }: Operation<'insertDispatch'>): Changed {
  const { idempotencyKey } = dispatch;
  if (idempotencyKey !== undefined) {
    const earlier = readDispatch(tx.connection, { idempotencyKey });
    if (earlier) throw new Refused({ dispatch: earlier });
  }
  tx.changed({ topic: 'dispatch', threadId: dispatch.threadId, dispatchId: dispatch.id });
  const changed = tx.connection.run(
    tx.build.insertInto('dispatches').values({
      id: dispatch.id,
      thread_id: dispatch.threadId,
      text: dispatch.text,
      actor: dispatch.actor,
      title: dispatch.title ?? null,
      state: dispatch.state,
      priority: dispatch.priority,
      retry_of: dispatch.retryOf ?? null,
      not_before: dispatch.notBefore ?? null,
      why: dispatch.why ?? null,
      labels: toJson(dispatch.labels),
      outcome: toJson(dispatch.outcome),
      request: JSON.stringify(dispatch.request),
      idempotency_key: idempotencyKey ?? null,
      created_at: dispatch.createdAt,
      ended_at: dispatch.endedAt ?? null,
    }),
  );
  return { changed };
}

export function patchDispatch(tx: Transaction, operation: Operation<'patchDispatch'>): Changed {
  const { dispatchId, patch } = operation;
  const dispatch = readDispatch(tx.connection, { id: dispatchId });
  if (!dispatch) throw new Refused(null);
  if (operation.if && !operation.if.state.includes(dispatch.state)) throw new Refused({ dispatch });

  const { state, title, priority, notBefore, why, outcome, endedAt } = patch;
  return updateDispatch(tx, dispatch, {
    ...(state !== undefined && { state }),
    ...(title !== undefined && { title }),
    ...(priority !== undefined && { priority }),
    ...(notBefore !== undefined && { not_before: notBefore }),
    ...(why !== undefined && { why }),
    ...(outcome && { outcome: JSON.stringify(outcome) }),
    ...(endedAt !== undefined && { ended_at: endedAt }),
  });
}

/** Changes columns of a dispatch and tells of it. */
export function updateDispatch(
  tx: Transaction,
  { id, threadId }: { readonly id: DispatchId; readonly threadId: ThreadId },
  columns: Partial<Omit<Selectable<DispatchRow>, 'n' | 'id'>>,
): Changed {
  if (Object.keys(columns).length === 0) return { changed: 0 };
  tx.changed({ topic: 'dispatch', threadId, dispatchId: id });
  return { changed: tx.connection.run(tx.build.updateTable('dispatches').set(columns).where('id', '=', id)) };
}

export function readDispatch(connection: Connection, key: InputOf<'dispatch'>): StoredDispatch | null {
  const select = connection.build.selectFrom('dispatches').selectAll();
  const row = connection.first(
    'id' in key ? select.where('id', '=', key.id) : select.where('idempotency_key', '=', key.idempotencyKey),
  );
  return row ? dispatchOf(connection, row) : null;
}

export function readDispatches(connection: Connection, request: InputOf<'dispatches'>): Page<StoredDispatch> {
  const { threadId, state, leaseExpiredAt, idPrefix } = request;
  const { from, to } = prefixRange(idPrefix);
  return readPage(connection, request, {
    select: ({ compare, cursor, direction, limit }) =>
      connection.build
        .selectFrom('dispatches')
        .selectAll()
        .where('n', compare, cursor)
        .$if(idPrefix !== undefined, (query) => query.where('id', '>=', from).where('id', '<', to))
        .$if(threadId !== undefined, (query) => query.where('thread_id', '=', threadId ?? ''))
        .$if(state !== undefined, (query) => query.where('state', '=', state ?? ''))
        .$if(leaseExpiredAt !== undefined, (query) => query.where('lease_until', '<=', leaseExpiredAt ?? ''))
        .orderBy('n', direction)
        .limit(limit),
    record: (row) => dispatchOf(connection, row),
  });
}

/** A dispatch with its attempts. */
export function dispatchOf(connection: Connection, row: Selectable<DispatchRow>): StoredDispatch {
  return StoredDispatch.parse(
    present({
      id: row.id,
      threadId: row.thread_id,
      text: row.text,
      actor: row.actor,
      title: row.title,
      state: row.state,
      priority: row.priority,
      attempts: readAttempts(connection, row.id),
      retryOf: row.retry_of,
      notBefore: row.not_before,
      why: row.why,
      labels: fromJson(row.labels),
      outcome: fromJson(row.outcome),
      request: fromJson(row.request),
      idempotencyKey: row.idempotency_key,
      lease:
        row.lease_until === null
          ? null
          : { workerId: row.lease_worker, epoch: row.lease_epoch, until: row.lease_until },
      createdAt: row.created_at,
      endedAt: row.ended_at,
    }),
  );
}
