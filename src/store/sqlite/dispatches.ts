import { type Selectable, sql } from 'kysely';
import { given } from '../../protocol/given.js';
import type { DispatchId, ThreadId } from '../../protocol/id.js';
import type { Changed, Operation } from '../operation.js';
import type { Page } from '../page.js';
import type { InputOf } from '../query.js';
import { StoredDispatch } from '../stored-dispatch.js';
import { readAttempts } from './attempts.js';
import type { SqliteConnection } from './connection.js';
import { fromJson, present, toJson } from './json-column.js';
import { hasLabels } from './labels.js';
import { bytesOf, idHas, readPage, type Window } from './paging.js';
import type { DispatchRow } from './schema.js';
import { readThread } from './threads.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

export function insertDispatch(tx: Transaction, { dispatch }: Operation<'insertDispatch'>): Changed {
  const { idempotencyKey } = dispatch;
  if (idempotencyKey !== undefined) {
    const earlier = readDispatch(tx.connection, { idempotencyKey });
    if (earlier) throw new UnitRefused({ dispatch: earlier });
  }
  const thread = readThread(tx.connection, { id: dispatch.threadId });
  if (thread?.archivedAt !== undefined) throw new UnitRefused({ thread });
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
  if (!dispatch) throw new UnitRefused(null);
  if (operation.if && !operation.if.state.includes(dispatch.state)) throw new UnitRefused({ dispatch });

  const { text, state, title, priority, notBefore, why, waitsFor, decision, outcome, endedAt } = patch;
  return updateDispatch(tx, dispatch, {
    ...given({
      text,
      state,
      title,
      priority,
      not_before: notBefore,
      why,
      waits_for: waitsFor,
      decision,
      ended_at: endedAt,
    }),
    ...(outcome && { outcome: JSON.stringify(outcome) }),
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

export function readDispatch(connection: SqliteConnection, key: InputOf<'dispatch'>): StoredDispatch | null {
  const select = connection.build.selectFrom('dispatches').selectAll();
  const row = connection.first(
    'id' in key ? select.where('id', '=', key.id) : select.where('idempotency_key', '=', key.idempotencyKey),
  );
  return row ? dispatchOf(connection, row) : null;
}

export function readDispatches(
  connection: SqliteConnection,
  request: InputOf<'dispatches'>,
): Page<StoredDispatch> {
  const { threadId, state, result, labels = [], isUndecided = false } = request;
  const rows = ({ compare, cursor, direction, limit }: Window) =>
    connection.build
      .selectFrom('dispatches')
      .where('n', compare, cursor)
      .where(idHas(request))
      .$if(threadId !== undefined, (query) => query.where('thread_id', '=', threadId ?? ''))
      .$if(isUndecided, (query) => query.where('decision', 'is not', null))
      .$if(state !== undefined, (query) => query.where('state', '=', state ?? ''))
      .$if(result !== undefined, (query) => query.where(sql`outcome ->> 'result'`, '=', result ?? ''))
      .$if(labels.length > 0, (query) => query.where(hasLabels(labels)))
      .orderBy('n', direction)
      .limit(limit);
  return readPage(connection, request, {
    select: (window) => rows(window).selectAll(),
    sizes: (window) => rows(window).select(bytesOf('text', 'title', 'why', 'labels', 'outcome', 'request')),
    record: (row) => dispatchOf(connection, row),
  });
}

/** A dispatch with its attempts. */
export function dispatchOf(connection: SqliteConnection, row: Selectable<DispatchRow>): StoredDispatch {
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
      waitsFor: row.state === 'queued' ? row.waits_for : null,
      decision: row.decision,
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
