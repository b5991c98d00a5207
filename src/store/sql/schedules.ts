import { type Selectable, sql } from 'kysely';
import { withRaise } from '../../domain/dispatch/budget.js';
import { cutText } from '../../protocol/cut-text.js';
import type { DispatchId } from '../../protocol/id.js';
import { Outcome } from '../../protocol/outcome.js';
import { ScheduleRun } from '../../protocol/schedule.js';
import type { Changed, Operation } from '../operation.js';
import type { Page } from '../page.js';
import type { InputOf } from '../query.js';
import { StoredSchedule } from '../stored-schedule.js';
import { fromJson, present } from './json-column.js';
import { knownSum } from './known-sum.js';
import { bytesOf, readPage, type Window } from './paging.js';
import type { Reader } from './reader.js';
import type { ScheduleRow } from './schema.js';
import { change, firstRow, type Steps, withoutSteps } from './steps.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

// Enough for a year of days, or a day of minutes.
const keptRuns = 1000;
const longestReason = 500;

export function* insertSchedule(tx: Transaction, { schedule }: Operation<'insertSchedule'>): Steps<Changed> {
  const named = yield* readSchedule(tx, { name: schedule.name });
  if (named) throw new UnitRefused({ schedule: named });
  const { id, name } = schedule;
  const row = { id, name, due_at: dueAt(schedule), record: recordOf(schedule), ...tx.ownerColumns };
  return { changed: yield* change(tx.build.insertInto('schedules').values(row)) };
}

export function* replaceSchedule(tx: Transaction, operation: Operation<'replaceSchedule'>): Steps<Changed> {
  const { schedule } = operation;
  const before = yield* readSchedule(tx, { id: schedule.id });
  if (!before) throw new UnitRefused(null);
  if (before.revision !== operation.if.revision) throw new UnitRefused({ schedule: before });
  const changed = yield* change(
    tx.build
      .updateTable('schedules')
      .set({ due_at: dueAt(schedule), record: recordOf(schedule) })
      .where('id', '=', schedule.id),
  );
  return { changed };
}

export function* raiseScheduleBudget(
  tx: Transaction,
  { id, by }: Operation<'raiseScheduleBudget'>,
): Steps<Changed> {
  const before = yield* readSchedule(tx, { id });
  if (!before?.budget) throw new UnitRefused(null);
  const schedule = { ...before, budget: withRaise(before.budget, by), revision: before.revision + 1 };
  return yield* replaceSchedule(tx, {
    do: 'replaceSchedule',
    schedule,
    if: { revision: before.revision },
  });
}

/**
 * Counts what the work of a schedule has used; work that no schedule gave counts for none. The account of a turn may come after its work
 * was called off, or is queued again: it counts for the newest work of the thread that has begun.
 */
export function* addScheduleSpent(tx: Transaction, { threadId, usage }: Operation<'addUsage'>): Steps<void> {
  const { build } = tx;
  const begun = build
    .selectFrom('dispatches')
    .select('dispatches.id')
    .where('dispatches.thread_id', '=', threadId)
    .where((its) =>
      its.or([
        its('dispatches.state', '<>', 'queued'),
        its.exists(
          its
            .selectFrom('attempts')
            .select('attempts.attempt')
            .whereRef('attempts.dispatch_id', '=', 'dispatches.id'),
        ),
      ]),
    )
    .orderBy((its) => its.case().when('dispatches.state', 'in', ['running', 'waiting']).then(0).else(1).end())
    .orderBy('dispatches.n', 'desc')
    .limit(1);
  const given = build
    .selectFrom('schedule_runs')
    .select('schedule_runs.schedule_id')
    .where('schedule_runs.dispatch_id', 'in', begun);
  const { costUsd, inputTokens, outputTokens } = usage;
  yield* change(
    build
      .updateTable('schedules')
      .set((its) => ({
        spent_tokens: its('spent_tokens', '+', inputTokens + outputTokens),
        spent_usd: knownSum('spent_usd', costUsd),
      }))
      .where('id', 'in', given),
  );
}

export function* removeSchedule(tx: Transaction, { id }: Operation<'removeSchedule'>): Steps<Changed> {
  yield* change(tx.build.deleteFrom('schedule_runs').where('schedule_id', '=', id));
  const changed = yield* change(tx.build.deleteFrom('schedules').where('id', '=', id));
  if (changed === 0) throw new UnitRefused(null);
  return { changed };
}

export function* addScheduleRun(tx: Transaction, { run }: Operation<'addScheduleRun'>): Steps<Changed> {
  const { build } = tx;
  const schedule = yield* readSchedule(tx, { id: run.scheduleId });
  if (!schedule) throw new UnitRefused(null);
  const { id, scheduleId, tickAt = null, dispatchId = null } = run;
  const taken = build
    .selectFrom('schedule_runs')
    .select('n')
    .where('schedule_id', '=', scheduleId)
    .where('tick_at', '=', tickAt);
  if (tickAt !== null && (yield* firstRow(taken))) throw new UnitRefused({ schedule });
  const changed = yield* change(
    build.insertInto('schedule_runs').values({
      id,
      schedule_id: scheduleId,
      tick_at: tickAt,
      dispatch_id: dispatchId,
      record: JSON.stringify(run),
    }),
  );
  const tooOld = build
    .selectFrom('schedule_runs')
    .select('n')
    .where('schedule_id', '=', scheduleId)
    .orderBy('n', 'desc')
    .limit(1000)
    .offset(keptRuns);
  yield* change(build.deleteFrom('schedule_runs').where('n', 'in', tooOld));
  return { changed };
}

export function* readSchedule(reader: Reader, key: InputOf<'schedule'>): Steps<StoredSchedule | null> {
  const select = reader.build
    .selectFrom('schedules')
    .selectAll()
    .$if(reader.locksRows, (query) => query.forUpdate());
  const row = yield* firstRow(
    'id' in key
      ? select.where('id', '=', key.id)
      : 'name' in key
        ? select.where(reader.dialect.isNamed('name', key.name))
        : select.where('id', 'in', giverOf(reader, key.dispatchId)),
  );
  return row ? scheduleOf(row) : null;
}

function giverOf({ build }: Reader, dispatchId: DispatchId) {
  return build.selectFrom('schedule_runs').select('schedule_id').where('dispatch_id', '=', dispatchId);
}

export function* readSchedules(reader: Reader, request: InputOf<'schedules'>): Steps<Page<StoredSchedule>> {
  const { dueBefore, active, own, ofWorker } = request;
  const rows = ({ compare, cursor, direction, limit }: Window) =>
    reader.build
      .selectFrom('schedules')
      .where('n', compare, cursor)
      .$if(own === true, (query) => query.where(reader.isOwnRow('schedules')))
      .$if(ofWorker !== undefined && reader.ownerColumns.worker_id !== undefined, (query) =>
        query.where(sql<boolean>`schedules.worker_id = ${ofWorker}`),
      )
      .$if(active === true, (query) => query.where('due_at', 'is not', null))
      .$if(dueBefore !== undefined, (query) => query.where('due_at', '<=', dueBefore ?? ''))
      .orderBy('n', direction)
      .limit(limit);
  return yield* readPage(request, {
    select: (window) => rows(window).selectAll(),
    sizes: (window) => rows(window).select(bytesOf('record')),
    records: (found) => withoutSteps(found.map(scheduleOf)),
  });
}

/** With how their work stands, as long as that is kept. */
export function* readScheduleRuns(
  reader: Reader,
  request: InputOf<'scheduleRuns'>,
): Steps<Page<ScheduleRun>> {
  const { scheduleId, open, ticksAfter } = request;
  const rows = ({ compare, cursor, direction, limit }: Window) =>
    reader.build
      .selectFrom('schedule_runs')
      .leftJoin('dispatches', 'dispatches.id', 'schedule_runs.dispatch_id')
      .where('schedule_runs.schedule_id', '=', scheduleId)
      .where('schedule_runs.n', compare, cursor)
      .$if(open === true, (query) => query.where('dispatches.state', '<>', 'ended'))
      .$if(ticksAfter !== undefined, (query) => query.where('schedule_runs.tick_at', '>', ticksAfter ?? ''))
      .orderBy('schedule_runs.n', direction)
      .limit(limit);
  return yield* readPage(request, {
    select: (window) =>
      rows(window).select([
        'schedule_runs.n',
        'schedule_runs.record',
        'dispatches.state',
        'dispatches.outcome',
      ]),
    sizes: (window) =>
      rows(window).select(
        sql<number>`octet_length(schedule_runs.record) + coalesce(octet_length(dispatches.outcome), 0)`.as(
          'bytes',
        ),
      ),
    records: (found) =>
      withoutSteps(
        found.map(({ record, state, outcome }) =>
          ScheduleRun.parse({
            ...ScheduleRun.parse(fromJson(record)),
            ...present({ state, outcome: outcomeOf(outcome) }),
          }),
        ),
      ),
  });
}

// What an agent gave as its reason is shown whole where its work is.
function outcomeOf(outcome: string | null) {
  if (outcome === null) return null;
  const { reason, ...rest } = Outcome.parse(fromJson(outcome));
  return { ...rest, ...(reason !== undefined && { reason: cutText(reason, longestReason) }) };
}

/** When somebody has to look at it; work that waits for earlier work may start at any moment. */
function dueAt({ state, dueAt: next, waitingAt }: StoredSchedule): string | null {
  return state === 'paused' ? null : (waitingAt ?? next ?? null);
}

// What was spent stands beside the record, because it grows while others decide about the record.
function recordOf({ spent: _spent, ...record }: StoredSchedule): string {
  return JSON.stringify(record);
}

function scheduleOf(row: Selectable<ScheduleRow>): StoredSchedule {
  const spent = { usd: row.spent_usd, tokens: row.spent_tokens };
  return StoredSchedule.parse({ ...Object(fromJson(row.record)), spent });
}
