import type { Selectable } from 'kysely';
import { given } from '../../protocol/given.js';
import type { Changed, Operation } from '../operation.js';
import { OutboxEntry } from '../outbox-entry.js';
import type { InputOf } from '../query.js';
import { fromJson } from './json-column.js';
import { pageSize } from './paging.js';
import type { Reader } from './reader.js';
import type { OutboxRow } from './schema.js';
import { all, change, each, type Steps } from './steps.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

export function* putOutbox(tx: Transaction, { entry }: Operation<'putOutbox'>): Steps<Changed> {
  const changed = yield* change(
    tx.build
      .insertInto('outbox')
      .values({
        id: entry.id,
        kind: entry.kind,
        payload: JSON.stringify(entry.payload),
        due_at: entry.dueAt,
        ...tx.ownerColumns,
      })
      .onConflict((conflict) => conflict.column('id').doNothing()),
  );
  if (changed > 0) tx.changed({ topic: 'outbox', id: entry.id });
  return { changed };
}

export function* claimOutbox(tx: Transaction, operation: Operation<'claimOutbox'>): Steps<OutboxEntry[]> {
  const { limit, now, until, exceptKinds } = operation;
  const due = yield* readOutboxDue(tx, { at: now, limit, ...given({ exceptKinds }) });
  return yield* each(due, function* (entry) {
    const claimed = { ...entry, dueAt: until, tries: entry.tries + 1 };
    yield* update(tx, entry.id, { due_at: claimed.dueAt, tries: claimed.tries });
    return claimed;
  });
}

export function* finishOutbox(tx: Transaction, { id, at }: Operation<'finishOutbox'>): Steps<Changed> {
  return yield* update(tx, id, { done_at: at });
}

export function* postponeOutbox(tx: Transaction, { id, dueAt }: Operation<'postponeOutbox'>): Steps<Changed> {
  return yield* update(tx, id, { due_at: dueAt });
}

export function* forgetOutbox({ build }: Transaction, operation: Operation<'forgetOutbox'>): Steps<Changed> {
  const old = build
    .selectFrom('outbox')
    .select('n')
    .where('done_at', '<', operation.doneBefore)
    .limit(operation.limit);
  return { changed: yield* change(build.deleteFrom('outbox').where('n', 'in', old)) };
}

export function* readOutboxDue(
  reader: Reader,
  { at, limit, exceptKinds = [] }: InputOf<'outboxDue'>,
): Steps<OutboxEntry[]> {
  const rows = yield* all(
    reader.build
      .selectFrom('outbox')
      .selectAll()
      .where('done_at', 'is', null)
      .where('due_at', '<=', at)
      .where(reader.isOwnRow('outbox'))
      .$if(exceptKinds.length > 0, (query) => query.where('kind', 'not in', [...exceptKinds]))
      .orderBy('due_at')
      .orderBy('n')
      .limit(pageSize(limit))
      // Another worker that sends takes others.
      .$if(reader.locksRows, (query) => query.forUpdate().skipLocked()),
  );
  return rows.map(entryOf);
}

function* update(
  tx: Transaction,
  id: string,
  columns: Partial<Omit<Selectable<OutboxRow>, 'n'>>,
): Steps<Changed> {
  const changed = yield* change(
    tx.build.updateTable('outbox').set(columns).where('id', '=', id).where('done_at', 'is', null),
  );
  if (changed === 0) throw new UnitRefused(null);
  tx.changed({ topic: 'outbox', id });
  return { changed };
}

function entryOf(row: Selectable<OutboxRow>): OutboxEntry {
  return OutboxEntry.parse({
    id: row.id,
    kind: row.kind,
    payload: fromJson(row.payload),
    dueAt: row.due_at,
    tries: row.tries,
  });
}
