import { type Selectable, sql } from 'kysely';
import { cutText } from '../../protocol/cut-text.js';
import { Outcome } from '../../protocol/outcome.js';
import { ScheduleRun } from '../../protocol/schedule.js';
import type { Changed, Operation } from '../operation.js';
import type { Page } from '../page.js';
import type { InputOf } from '../query.js';
import { StoredSchedule } from '../stored-schedule.js';
import { fromJson, present } from './json-column.js';
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
  const row = { id, name, due_at: dueAt(schedule), record: JSON.stringify(schedule), ...tx.ownerColumns };
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
      .set({ due_at: dueAt(schedule), record: JSON.stringify(schedule) })
      .where('id', '=', schedule.id),
  );
  return { changed };
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
    'id' in key ? select.where('id', '=', key.id) : select.where(reader.dialect.isNamed('name', key.name)),
  );
  return row ? scheduleOf(row) : null;
}

export function* readSchedules(reader: Reader, request: InputOf<'schedules'>): Steps<Page<StoredSchedule>> {
  const { dueBefore, active, own } = request;
  const rows = ({ compare, cursor, direction, limit }: Window) =>
    reader.build
      .selectFrom('schedules')
      .where('n', compare, cursor)
      .$if(own === true, (query) => query.where(reader.isOwnRow('schedules')))
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

function scheduleOf(row: Selectable<ScheduleRow>): StoredSchedule {
  return StoredSchedule.parse(fromJson(row.record));
}
