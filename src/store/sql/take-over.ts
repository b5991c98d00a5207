import { type RawBuilder, sql } from 'kysely';
import type { Changed, Operation } from '../operation.js';
import { readPipeline, replacePipeline } from './pipelines.js';
import { readSchedule, replaceSchedule } from './schedules.js';
import { all, type Steps } from './steps.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

type Absent = Operation<'takeOverThread'>['from'];

/**
 * The row of the other worker is locked first: either its heartbeat is here before, and refuses this, or it comes after, and
 * then that worker finds its thread taken.
 */
export function* takeOverThread(
  tx: Transaction,
  { threadId, from }: Operation<'takeOverThread'>,
): Steps<Changed> {
  const self = yield* expectAbsent(tx, from);
  // One that drains beats on; of its threads those move of which nothing lives.
  const isAlive =
    from.drainingSince !== undefined &&
    (yield* rows(tx, sql`select id from runs where thread_id = ${threadId} and ended_at is null`)) > 0;
  if (isAlive) throw new UnitRefused(null);
  const taken = yield* rows(
    tx,
    sql`update threads set worker_id = ${self} where id = ${threadId} and worker_id = ${from.id} returning id`,
  );
  if (taken === 0) throw new UnitRefused(null);
  // What the other one had is nobody's now, and its epochs are over.
  yield* rows(
    tx,
    sql`update dispatches set lease_until = null, lease_epoch = lease_epoch + 1
      where thread_id = ${threadId} and state <> 'ended' returning id`,
  );
  tx.changed({ topic: 'thread', threadId });
  return { changed: taken };
}

/** Revisions are raised: what the other one decided on what it had read is refused, should it be alive after all. */
export function* takeOverDuties(
  tx: Transaction,
  { from, schedules = [], pipelines = [], outboxKinds = [] }: Operation<'takeOverDuties'>,
): Steps<Changed> {
  const self = yield* expectAbsent(tx, from);
  let changed = 0;
  for (const { id, revision } of schedules) {
    const schedule = yield* readSchedule(tx, { id });
    if (!schedule) throw new UnitRefused(null);
    const raised = { ...schedule, revision: revision + 1 };
    yield* replaceSchedule(tx, { do: 'replaceSchedule', schedule: raised, if: { revision } });
    changed += yield* moved(tx, { table: 'schedules', id, from, self });
  }
  for (const { id, revision } of pipelines) {
    const pipeline = yield* readPipeline(tx, { id });
    if (!pipeline) throw new UnitRefused(null);
    const raised = { ...pipeline, revision: revision + 1 };
    yield* replacePipeline(tx, { do: 'replacePipeline', pipeline: raised, phases: [], if: { revision } });
    changed += yield* moved(tx, { table: 'pipelines', id, from, self });
  }
  for (const kind of outboxKinds)
    changed += yield* rows(
      tx,
      sql`update outbox set worker_id = ${self}
        where worker_id = ${from.id} and kind = ${kind} and done_at is null returning id`,
    );
  return { changed };
}

/** Refuses where the other worker has shown a sign of life since it was seen, unless it drains; tells who takes over. */
function* expectAbsent(tx: Transaction, from: Absent): Steps<string> {
  const { worker_id: self } = tx.ownerColumns;
  if (self === undefined) throw new UnitRefused(null);
  const isAllowed = yield* rows(
    tx,
    from.drainingSince === undefined
      ? sql`select id from workers
          where id = ${from.id} and epoch = ${from.epoch} and heartbeat_at = ${from.heartbeatAt} for update`
      : sql`select id from workers where id = ${from.id} and draining_since is not null for update`,
  );
  if (isAllowed === 0) throw new UnitRefused(null);
  return self;
}

function* moved(
  tx: Transaction,
  {
    table,
    id,
    from,
    self,
  }: {
    readonly table: 'schedules' | 'pipelines';
    readonly id: string;
    readonly from: Absent;
    readonly self: string;
  },
): Steps<number> {
  const taken = yield* rows(
    tx,
    sql`update ${sql.table(table)} set worker_id = ${self} where id = ${id} and worker_id = ${from.id} returning id`,
  );
  if (taken === 0) throw new UnitRefused(null);
  return taken;
}

function* rows(tx: Transaction, query: RawBuilder<unknown>): Steps<number> {
  const found = yield* all({ compile: () => query.compile(tx.build) });
  return found.length;
}
