import { type Selectable, sql } from 'kysely';
import { cutText } from '../../protocol/cut-text.js';
import { Outcome } from '../../protocol/outcome.js';
import { ScheduleRun } from '../../protocol/schedule.js';
import type { Changed, Operation } from '../operation.js';
import type { Page } from '../page.js';
import type { InputOf } from '../query.js';
import { StoredSchedule } from '../stored-schedule.js';
import type { SqliteConnection } from './connection.js';
import { fromJson, present } from './json-column.js';
import { bytesOf, readPage, type Window } from './paging.js';
import type { ScheduleRow } from './schema.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

// Enough for a year of days, or a day of minutes.
const keptRuns = 1000;
const longestReason = 500;

export function insertSchedule(tx: Transaction, { schedule }: Operation<'insertSchedule'>): Changed {
  const named = readSchedule(tx.connection, { name: schedule.name });
  if (named) throw new UnitRefused({ schedule: named });
  const { id, name } = schedule;
  const row = { id, name, due_at: dueAt(schedule), record: JSON.stringify(schedule) };
  return { changed: tx.connection.run(tx.build.insertInto('schedules').values(row)) };
}

export function replaceSchedule(tx: Transaction, operation: Operation<'replaceSchedule'>): Changed {
  const { schedule } = operation;
  const before = readSchedule(tx.connection, { id: schedule.id });
  if (!before) throw new UnitRefused(null);
  if (before.revision !== operation.if.revision) throw new UnitRefused({ schedule: before });
  const changed = tx.connection.run(
    tx.build
      .updateTable('schedules')
      .set({ due_at: dueAt(schedule), record: JSON.stringify(schedule) })
      .where('id', '=', schedule.id),
  );
  return { changed };
}

export function removeSchedule(tx: Transaction, { id }: Operation<'removeSchedule'>): Changed {
  tx.connection.run(tx.build.deleteFrom('schedule_runs').where('schedule_id', '=', id));
  const changed = tx.connection.run(tx.build.deleteFrom('schedules').where('id', '=', id));
  if (changed === 0) throw new UnitRefused(null);
  return { changed };
}

export function addScheduleRun(tx: Transaction, { run }: Operation<'addScheduleRun'>): Changed {
  const { connection, build } = tx;
  const schedule = readSchedule(connection, { id: run.scheduleId });
  if (!schedule) throw new UnitRefused(null);
  const { id, scheduleId, tickAt = null, dispatchId = null } = run;
  const taken = build
    .selectFrom('schedule_runs')
    .select('n')
    .where('schedule_id', '=', scheduleId)
    .where('tick_at', '=', tickAt);
  if (tickAt !== null && connection.first(taken)) throw new UnitRefused({ schedule });
  const changed = connection.run(
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
  connection.run(build.deleteFrom('schedule_runs').where('n', 'in', tooOld));
  return { changed };
}

export function readSchedule(connection: SqliteConnection, key: InputOf<'schedule'>): StoredSchedule | null {
  const select = connection.build.selectFrom('schedules').selectAll();
  const row = connection.first(
    'id' in key ? select.where('id', '=', key.id) : select.where('name', '=', key.name),
  );
  return row ? scheduleOf(row) : null;
}

export function readSchedules(
  connection: SqliteConnection,
  request: InputOf<'schedules'>,
): Page<StoredSchedule> {
  const { dueBefore, active } = request;
  const rows = ({ compare, cursor, direction, limit }: Window) =>
    connection.build
      .selectFrom('schedules')
      .where('n', compare, cursor)
      .$if(active === true, (query) => query.where('due_at', 'is not', null))
      .$if(dueBefore !== undefined, (query) => query.where('due_at', '<=', dueBefore ?? ''))
      .orderBy('n', direction)
      .limit(limit);
  return readPage(connection, request, {
    select: (window) => rows(window).selectAll(),
    sizes: (window) => rows(window).select(bytesOf('record')),
    record: scheduleOf,
  });
}

/** With how their work stands, as long as that is kept. */
export function readScheduleRuns(
  connection: SqliteConnection,
  request: InputOf<'scheduleRuns'>,
): Page<ScheduleRun> {
  const { scheduleId, open, ticksAfter } = request;
  const rows = ({ compare, cursor, direction, limit }: Window) =>
    connection.build
      .selectFrom('schedule_runs')
      .leftJoin('dispatches', 'dispatches.id', 'schedule_runs.dispatch_id')
      .where('schedule_runs.schedule_id', '=', scheduleId)
      .where('schedule_runs.n', compare, cursor)
      .$if(open === true, (query) => query.where('dispatches.state', '<>', 'ended'))
      .$if(ticksAfter !== undefined, (query) => query.where('schedule_runs.tick_at', '>', ticksAfter ?? ''))
      .orderBy('schedule_runs.n', direction)
      .limit(limit);
  return readPage(connection, request, {
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
    record: ({ record, state, outcome }) =>
      ScheduleRun.parse({
        ...ScheduleRun.parse(fromJson(record)),
        ...present({ state, outcome: outcomeOf(outcome) }),
      }),
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

function scheduleOf(row: Selectable<ScheduleRow>): StoredSchedule {
  return StoredSchedule.parse(fromJson(row.record));
}
