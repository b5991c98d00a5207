import type { Selectable } from 'kysely';
import * as z from 'zod';
import { type DispatchId, RunId, ThreadId } from '../../protocol/id.js';
import type { Changed, Operation } from '../operation.js';
import { StoredAttempt } from '../stored-dispatch.js';
import type { SqliteConnection } from './connection.js';
import { fromJson, present } from './json-column.js';
import type { AttemptRow } from './schema.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

const RunIds = z.array(RunId);

export function startAttempt(
  tx: Transaction,
  { dispatchId, at }: Operation<'startAttempt'>,
): { attempt: number } {
  tellDispatch(tx, dispatchId);
  const attempt = readAttempts(tx.connection, dispatchId).length + 1;
  tx.connection.run(
    tx.build
      .insertInto('attempts')
      .values({ dispatch_id: dispatchId, attempt, run_ids: '[]', started_at: at }),
  );
  return { attempt };
}

export function addAttemptRun(tx: Transaction, operation: Operation<'addAttemptRun'>): Changed {
  const { run_ids } = attemptRow(tx, operation);
  const runIds = [...RunIds.parse(fromJson(run_ids)), operation.runId];
  return updateAttempt(tx, operation, { run_ids: JSON.stringify(runIds) });
}

export function setActiveTime(tx: Transaction, operation: Operation<'setActiveTime'>): Changed {
  return updateAttempt(tx, operation, { active_ms: operation.activeMs });
}

export function endAttempt(tx: Transaction, operation: Operation<'endAttempt'>): Changed {
  const { at, outcome } = operation;
  return updateAttempt(tx, operation, { ended_at: at, outcome: JSON.stringify(outcome) });
}

/** The tries of a dispatch, first to last. */
export function readAttempts(connection: SqliteConnection, dispatchId: string): StoredAttempt[] {
  return connection
    .all(
      connection.build
        .selectFrom('attempts')
        .selectAll()
        .where('dispatch_id', '=', dispatchId)
        .orderBy('attempt'),
    )
    .map(attemptOf);
}

interface AttemptKey {
  readonly dispatchId: DispatchId;
  readonly attempt: number;
}

function attemptRow(tx: Transaction, { dispatchId, attempt }: AttemptKey): Selectable<AttemptRow> {
  const row = tx.connection.first(
    tx.build
      .selectFrom('attempts')
      .selectAll()
      .where('dispatch_id', '=', dispatchId)
      .where('attempt', '=', attempt),
  );
  if (!row) throw new UnitRefused(null);
  return row;
}

function updateAttempt(tx: Transaction, key: AttemptKey, columns: Partial<Selectable<AttemptRow>>): Changed {
  const changed = tx.connection.run(
    tx.build
      .updateTable('attempts')
      .set(columns)
      .where('dispatch_id', '=', key.dispatchId)
      .where('attempt', '=', key.attempt),
  );
  if (changed === 0) throw new UnitRefused(null);
  tellDispatch(tx, key.dispatchId);
  return { changed };
}

/** Tells that a dispatch changed, which must be there. */
function tellDispatch(tx: Transaction, dispatchId: DispatchId): void {
  const row = tx.connection.first(
    tx.build.selectFrom('dispatches').select('thread_id').where('id', '=', dispatchId),
  );
  if (!row) throw new UnitRefused(null);
  tx.changed({ topic: 'dispatch', threadId: ThreadId.parse(row.thread_id), dispatchId });
}

function attemptOf(row: Selectable<AttemptRow>): StoredAttempt {
  return StoredAttempt.parse(
    present({
      runIds: fromJson(row.run_ids),
      startedAt: row.started_at,
      activeMs: row.active_ms,
      endedAt: row.ended_at,
      outcome: fromJson(row.outcome),
    }),
  );
}
