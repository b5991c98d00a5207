import type { Selectable } from 'kysely';
import * as z from 'zod';
import { type DispatchId, RunId, ThreadId } from '../../protocol/id.js';
import type { Changed, Operation } from '../operation.js';
import { StoredAttempt } from '../stored-dispatch.js';
import { fromJson, present } from './json-column.js';
import type { Reader } from './reader.js';
import type { AttemptRow } from './schema.js';
import { all, change, firstRow, type Steps } from './steps.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

const RunIds = z.array(RunId);

export function* startAttempt(
  tx: Transaction,
  { dispatchId, at }: Operation<'startAttempt'>,
): Steps<{ attempt: number }> {
  yield* tellDispatch(tx, dispatchId);
  const attempts = yield* readAttempts(tx, [dispatchId]);
  const attempt = (attempts.get(dispatchId)?.length ?? 0) + 1;
  yield* change(
    tx.build
      .insertInto('attempts')
      .values({ dispatch_id: dispatchId, attempt, run_ids: '[]', started_at: at }),
  );
  return { attempt };
}

export function* addAttemptRun(tx: Transaction, operation: Operation<'addAttemptRun'>): Steps<Changed> {
  const { run_ids } = yield* attemptRow(tx, operation);
  const runIds = [...RunIds.parse(fromJson(run_ids)), operation.runId];
  return yield* updateAttempt(tx, operation, { run_ids: JSON.stringify(runIds) });
}

export function* setActiveTime(tx: Transaction, operation: Operation<'setActiveTime'>): Steps<Changed> {
  return yield* updateAttempt(tx, operation, { active_ms: operation.activeMs });
}

export function* endAttempt(tx: Transaction, operation: Operation<'endAttempt'>): Steps<Changed> {
  const { at, outcome } = operation;
  return yield* updateAttempt(tx, operation, { ended_at: at, outcome: JSON.stringify(outcome) });
}

/** Tries by the dispatch that they are of. */
export type AttemptsByDispatch = ReadonlyMap<string, readonly StoredAttempt[]>;

/** The tries of dispatches, of each first to last. */
export function* readAttempts(reader: Reader, dispatchIds: readonly string[]): Steps<AttemptsByDispatch> {
  const attempts = new Map<string, StoredAttempt[]>();
  if (dispatchIds.length === 0) return attempts;
  const rows = yield* all(
    reader.build
      .selectFrom('attempts')
      .selectAll()
      .where('dispatch_id', 'in', dispatchIds)
      .orderBy('attempt'),
  );
  for (const row of rows)
    attempts.set(row.dispatch_id, [...(attempts.get(row.dispatch_id) ?? []), attemptOf(row)]);
  return attempts;
}

interface AttemptKey {
  readonly dispatchId: DispatchId;
  readonly attempt: number;
}

function* attemptRow(tx: Transaction, { dispatchId, attempt }: AttemptKey): Steps<Selectable<AttemptRow>> {
  const row = yield* firstRow(
    tx.build
      .selectFrom('attempts')
      .selectAll()
      .where('dispatch_id', '=', dispatchId)
      .where('attempt', '=', attempt),
  );
  if (!row) throw new UnitRefused(null);
  return row;
}

function* updateAttempt(
  tx: Transaction,
  key: AttemptKey,
  columns: Partial<Selectable<AttemptRow>>,
): Steps<Changed> {
  const changed = yield* change(
    tx.build
      .updateTable('attempts')
      .set(columns)
      .where('dispatch_id', '=', key.dispatchId)
      .where('attempt', '=', key.attempt),
  );
  if (changed === 0) throw new UnitRefused(null);
  yield* tellDispatch(tx, key.dispatchId);
  return { changed };
}

/** Tells that a dispatch changed, which must be there. */
function* tellDispatch(tx: Transaction, dispatchId: DispatchId): Steps<void> {
  const row = yield* tx.dispatches.read(tx, dispatchId);
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
