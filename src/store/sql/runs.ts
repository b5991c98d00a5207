import type { Selectable } from 'kysely';
import { ThreadId } from '../../protocol/id.js';
import type { Changed, Operation } from '../operation.js';
import type { Page } from '../page.js';
import type { InputOf } from '../query.js';
import { StoredRun } from '../stored-run.js';
import { fromJson, present, toJson } from './json-column.js';
import { bytesOf, readPage, type Window } from './paging.js';
import type { Reader } from './reader.js';
import type { RunRow } from './schema.js';
import { change, firstRow, type Steps, withoutSteps } from './steps.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

export function* insertRun(tx: Transaction, { run }: Operation<'insertRun'>): Steps<Changed> {
  tx.changed({ topic: 'run', threadId: run.threadId, runId: run.id });
  const changed = yield* change(
    tx.build.insertInto('runs').values({
      id: run.id,
      thread_id: run.threadId,
      runtime: run.runtime,
      posture: JSON.stringify(run.posture),
      process: toJson(run.process),
      session_id: run.sessionId ?? null,
      started_at: run.startedAt,
      ended_at: run.endedAt ?? null,
      exit: toJson(run.exit),
      kill_intent: toJson(run.killIntent),
      facts: toJson(run.facts),
    }),
  );
  return { changed };
}

export function* patchRun(tx: Transaction, operation: Operation<'patchRun'>): Steps<Changed> {
  const { runId, patch } = operation;
  yield* tx.writeSequences();
  const run = yield* firstRow(
    tx.build
      .selectFrom('runs')
      .select(['thread_id', 'ended_at'])
      .where('id', '=', runId)
      .$if(tx.locksRows, (query) => query.forUpdate()),
  );
  if (!run) throw new UnitRefused(null);
  if (operation.if && operation.if.ended !== (run.ended_at !== null)) {
    const current = yield* readRun(tx, { id: runId });
    throw new UnitRefused(current && { run: current });
  }

  const columns = {
    ...(patch.process && { process: JSON.stringify(patch.process) }),
    ...(patch.sessionId !== undefined && { session_id: patch.sessionId }),
    ...(patch.endedAt !== undefined && { ended_at: patch.endedAt }),
    ...(patch.exit && { exit: JSON.stringify(patch.exit) }),
    ...(patch.killIntent !== undefined && { kill_intent: toJson(patch.killIntent) }),
    ...(patch.facts && { facts: JSON.stringify(patch.facts) }),
    ...(patch.amendments && { amendments: JSON.stringify(patch.amendments) }),
  };
  if (Object.keys(columns).length === 0) return { changed: 0 };
  tx.changed({ topic: 'run', threadId: ThreadId.parse(run.thread_id), runId });
  return { changed: yield* change(tx.build.updateTable('runs').set(columns).where('id', '=', runId)) };
}

export function* readRun(reader: Reader, { id }: InputOf<'run'>): Steps<StoredRun | null> {
  const row = yield* firstRow(
    reader.build
      .selectFrom('runs')
      .selectAll()
      .where('id', '=', id)
      .$if(reader.locksRows, (query) => query.forUpdate()),
  );
  return row ? runOf(row) : null;
}

export function* readRuns(reader: Reader, request: InputOf<'runs'>): Steps<Page<StoredRun>> {
  const { threadId, ended, own } = request;
  const rows = ({ compare, cursor, direction, limit }: Window) =>
    reader.build
      .selectFrom('runs')
      .where('n', compare, cursor)
      .$if(threadId !== undefined, (query) => query.where('thread_id', '=', threadId ?? ''))
      .$if(own === true, (query) => query.where(reader.isOwnThread('runs.thread_id')))
      .$if(ended !== undefined, (query) => query.where('ended_at', ended ? 'is not' : 'is', null))
      .orderBy('n', direction)
      .limit(limit);
  return yield* readPage(request, {
    select: (window) => rows(window).selectAll(),
    sizes: (window) => rows(window).select(bytesOf('posture', 'facts', 'amendments', 'exit')),
    records: (found) => withoutSteps(found.map(runOf)),
  });
}

function runOf(row: Selectable<RunRow>): StoredRun {
  return StoredRun.parse(
    present({
      id: row.id,
      threadId: row.thread_id,
      runtime: row.runtime,
      posture: fromJson(row.posture),
      process: fromJson(row.process),
      sessionId: row.session_id,
      lastRunSeq: row.last_run_seq,
      startedAt: row.started_at,
      endedAt: row.ended_at,
      exit: fromJson(row.exit),
      killIntent: fromJson(row.kill_intent),
      facts: fromJson(row.facts),
      amendments: fromJson(row.amendments),
    }),
  );
}
