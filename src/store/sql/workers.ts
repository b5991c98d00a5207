import { type Selectable, sql } from 'kysely';
import { Failure } from '../../protocol/failure.js';
import { given } from '../../protocol/given.js';
import type { WorkerId } from '../../protocol/id.js';
import type { Changed, Operation } from '../operation.js';
import type { InputOf } from '../query.js';
import { StoredWorker } from '../stored-worker.js';
import type { WorkerIdentity } from '../unit.js';
import { fromJson } from './json-column.js';
import type { Reader } from './reader.js';
import type { WorkerRow } from './schema.js';
import { all, change, firstRow, type Steps } from './steps.js';
import type { Transaction } from './transaction.js';
import { UnitRefused } from './unit-refused.js';

/** Who opens the store: known by name, with the id it has had since its first time, else by id. */
export interface OpeningWorker {
  readonly id: WorkerId;
  readonly name: string;
  /** A person chose the name, so that another worker may have it already. */
  readonly isNameChosen?: boolean;
  readonly startedAt: string;
}

/** Begins a new life of a worker: its epoch is higher than any before. */
export function* enterWorker(reader: Reader, worker: OpeningWorker): Steps<WorkerIdentity> {
  const { build } = reader;
  const known = yield* readWorkers(reader);
  const epoch = Math.max(0, ...known.map((other) => other.epoch)) + 1;
  const times = { started_at: worker.startedAt, heartbeat_at: worker.startedAt };
  const namesake = known.find(({ name, id }) => name === worker.name && id !== worker.id);
  if (worker.isNameChosen && namesake)
    throw new Failure(
      'config',
      `Another worker of this database is called ${worker.name} (${namesake.id}). Choose another name with --name.`,
    );
  const self = worker.isNameChosen
    ? known.find(({ id }) => id === worker.id)
    : (known.find(({ name }) => name === worker.name) ?? known.find(({ id }) => id === worker.id));
  if (self) {
    const columns = { name: worker.name, epoch, ...times };
    yield* change(build.updateTable('workers').set(columns).where('id', '=', self.id));
    return { id: self.id, epoch };
  }
  yield* change(build.insertInto('workers').values({ id: worker.id, name: worker.name, epoch, ...times }));
  return { id: worker.id, epoch };
}

export function* beatWorker(
  tx: Transaction,
  { at, profile }: Operation<'beatWorker'>,
): Steps<Changed & { readonly isDraining: boolean }> {
  const columns = { heartbeat_at: at, ...(profile && { profile: JSON.stringify(profile) }) };
  const rows = yield* all(
    tx.build
      .updateTable('workers')
      .set(columns)
      .where('id', '=', tx.worker.id)
      .where('epoch', '=', tx.worker.epoch)
      .returning(['id', 'draining_since']),
  );
  return { changed: rows.length, isDraining: rows.some(({ draining_since }) => draining_since !== null) };
}

export function* drainWorker(tx: Transaction, { workerId, at }: Operation<'drainWorker'>): Steps<Changed> {
  const changed = yield* change(
    tx.build.updateTable('workers').set({ draining_since: at }).where('id', '=', workerId),
  );
  if (changed === 0) throw new UnitRefused(null);
  return { changed };
}

/** Whose a thread is, where it is not this worker's. */
export function* readForeignWorker(
  reader: Reader,
  { threadId }: InputOf<'foreignWorker'>,
): Steps<StoredWorker | null> {
  const { build, ownerColumns } = reader;
  if (ownerColumns.worker_id === undefined) return null;
  const foreign = yield* firstRow(
    build
      .selectFrom('threads')
      .innerJoin('workers', (join) => join.on(sql<boolean>`workers.id = threads.worker_id`))
      .selectAll('workers')
      .where('threads.id', '=', threadId)
      .where((its) => its.not(reader.isOwnThread('threads.id'))),
  );
  return foreign ? workerOf(foreign) : null;
}

export function* readWorkers(reader: Reader): Steps<StoredWorker[]> {
  const rows = yield* all(reader.build.selectFrom('workers').selectAll().orderBy('epoch'));
  return rows.map(workerOf);
}

function workerOf(row: Selectable<WorkerRow>): StoredWorker {
  return StoredWorker.parse({
    id: row.id,
    name: row.name,
    epoch: row.epoch,
    startedAt: row.started_at,
    heartbeatAt: row.heartbeat_at,
    ...(row.profile === null ? {} : { profile: fromJson(row.profile) }),
    ...given({ drainingSince: row.draining_since ?? undefined }),
  });
}
