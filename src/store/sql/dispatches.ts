import { type Selectable, sql } from 'kysely';
import { given } from '../../protocol/given.js';
import { DispatchId, ThreadId } from '../../protocol/id.js';
import type { Changed, Operation } from '../operation.js';
import type { Page } from '../page.js';
import type { InputOf } from '../query.js';
import { StoredDispatch } from '../stored-dispatch.js';
import { type AttemptsByDispatch, readAttempts } from './attempts.js';
import { fromJson, present, toJson } from './json-column.js';
import { bytesOf, hasLabels, idHas, readPage, type Window } from './paging.js';
import type { Reader } from './reader.js';
import type { DispatchRow } from './schema.js';
import { change, firstRow, type Steps } from './steps.js';
import { readThread } from './threads.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

type Row = Selectable<DispatchRow>;

export function* insertDispatch(tx: Transaction, { dispatch }: Operation<'insertDispatch'>): Steps<Changed> {
  const { idempotencyKey } = dispatch;
  if (idempotencyKey !== undefined) {
    const earlier = yield* readDispatch(tx, { idempotencyKey });
    if (earlier) throw new UnitRefused({ dispatch: earlier });
  }
  yield* expectNotArchived(tx, dispatch.threadId);
  tx.changed({ topic: 'dispatch', threadId: dispatch.threadId, dispatchId: dispatch.id });
  const changed = yield* change(
    tx.build.insertInto('dispatches').values({
      id: dispatch.id,
      thread_id: dispatch.threadId,
      text: dispatch.text,
      actor: dispatch.actor,
      title: dispatch.title ?? null,
      state: dispatch.state,
      priority: dispatch.priority,
      retry_of: dispatch.retryOf ?? null,
      parent: dispatch.parent ?? null,
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

/** Reads the whole thread only where it stands in the way: this is on the way of all work. */
function* expectNotArchived(tx: Transaction, threadId: ThreadId): Steps<void> {
  const row = yield* firstRow(
    tx.build
      .selectFrom('threads')
      .select('archived_at')
      .where('id', '=', threadId)
      .$if(tx.locksRows, (query) => query.forUpdate()),
  );
  if (row === undefined || row.archived_at === null) return;
  const thread = yield* readThread(tx, { id: threadId });
  throw new UnitRefused(thread && { thread });
}

export function* patchDispatch(tx: Transaction, operation: Operation<'patchDispatch'>): Steps<Changed> {
  const { dispatchId, patch } = operation;
  const row = yield* tx.dispatches.read(tx, dispatchId);
  if (!row) throw new UnitRefused(null);
  if (operation.if && !operation.if.state.some((state) => state === row.state))
    throw new UnitRefused({ dispatch: yield* dispatchOf(tx, row) });

  const { text, state, title, priority, notBefore, why, waitsFor, decision, allowance, outcome, endedAt } =
    patch;
  return updateDispatch(tx, idsOf(row), {
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
    ...(allowance && { allowance: JSON.stringify(allowance) }),
  });
}

/** Changes columns of a dispatch that was read, and tells of it. */
export function updateDispatch(
  tx: Transaction,
  { id, threadId }: { readonly id: DispatchId; readonly threadId: ThreadId },
  columns: Partial<Omit<Selectable<DispatchRow>, 'n' | 'id'>>,
): Changed {
  if (Object.keys(columns).length === 0) return { changed: 0 };
  tx.changed({ topic: 'dispatch', threadId, dispatchId: id });
  tx.dispatches.change(id, columns);
  return { changed: 1 };
}

export function* readDispatch(reader: Reader, key: InputOf<'dispatch'>): Steps<StoredDispatch | null> {
  const select = reader.build
    .selectFrom('dispatches')
    .selectAll()
    .$if(reader.locksRows, (query) => query.forUpdate());
  const row = yield* firstRow(
    'id' in key ? select.where('id', '=', key.id) : select.where('idempotency_key', '=', key.idempotencyKey),
  );
  return row ? yield* dispatchOf(reader, row) : null;
}

export function* readDispatches(reader: Reader, request: InputOf<'dispatches'>): Steps<Page<StoredDispatch>> {
  const { threadId, parent, by, state, result, own, ofWorker, labels = [], isUndecided = false } = request;
  const rows = ({ compare, cursor, direction, limit }: Window) =>
    reader.build
      .selectFrom('dispatches')
      .where('n', compare, cursor)
      .where(idHas(reader, request))
      .$if(threadId !== undefined, (query) => query.where('thread_id', '=', threadId ?? ''))
      .$if(parent !== undefined, (query) => query.where('parent', '=', parent ?? ''))
      .$if(by !== undefined, (query) =>
        query.where('actor', '=', by?.actor ?? '').where('created_at', '>=', by?.since ?? ''),
      )
      .$if(isUndecided, (query) => query.where('decision', 'is not', null))
      .$if(own === true, (query) => query.where(reader.isOwnThread('dispatches.thread_id')))
      .$if(ofWorker !== undefined && reader.ownerColumns.worker_id !== undefined, (query) =>
        query.where(
          sql<boolean>`exists (select 1 from threads as theirs where theirs.id = dispatches.thread_id and theirs.worker_id = ${ofWorker})`,
        ),
      )
      .$if(state !== undefined, (query) => query.where('state', '=', state ?? ''))
      .$if(result !== undefined, (query) =>
        query.where(reader.dialect.field('outcome', 'result'), '=', result ?? ''),
      )
      .$if(labels.length > 0, (query) => query.where(hasLabels(reader, labels)))
      .orderBy('n', direction)
      .limit(limit);
  return yield* readPage(request, {
    select: (window) => rows(window).selectAll(),
    sizes: (window) => rows(window).select(bytesOf('text', 'title', 'why', 'labels', 'outcome', 'request')),
    records: (found) => dispatchesOf(reader, found),
  });
}

/** A dispatch with its attempts. */
export function* dispatchOf(reader: Reader, row: Row): Steps<StoredDispatch> {
  return recordOf(row, yield* readAttempts(reader, [row.id]));
}

/** Dispatches with their attempts. */
export function* dispatchesOf(
  reader: Reader,
  rows: readonly Row[],
  mayBeTried: (row: Row) => boolean = () => true,
): Steps<StoredDispatch[]> {
  const attempts = yield* readAttempts(
    reader,
    rows.filter(mayBeTried).map(({ id }) => id),
  );
  return rows.map((row) => recordOf(row, attempts));
}

export function idsOf(row: Pick<Row, 'id' | 'thread_id'>) {
  return { id: DispatchId.parse(row.id), threadId: ThreadId.parse(row.thread_id) };
}

/** Tells that a dispatch changed. */
export function tellOf(tx: Transaction, row: Row): void {
  const { id, threadId } = idsOf(row);
  tx.changed({ topic: 'dispatch', threadId, dispatchId: id });
}

function recordOf(row: Row, attempts: AttemptsByDispatch): StoredDispatch {
  return StoredDispatch.parse(
    present({
      id: row.id,
      threadId: row.thread_id,
      text: row.text,
      actor: row.actor,
      title: row.title,
      state: row.state,
      priority: row.priority,
      attempts: attempts.get(row.id) ?? [],
      retryOf: row.retry_of,
      parent: row.parent,
      notBefore: row.not_before,
      why: row.why,
      waitsFor: row.state === 'queued' ? row.waits_for : null,
      decision: row.decision,
      allowance: fromJson(row.allowance),
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
