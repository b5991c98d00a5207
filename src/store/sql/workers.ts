import type { WorkerId } from '../../protocol/id.js';
import type { Changed, Operation } from '../operation.js';
import { StoredWorker } from '../stored-worker.js';
import type { WorkerIdentity } from '../unit.js';
import type { Reader } from './reader.js';
import { all, change, type Steps } from './steps.js';
import type { Transaction } from './transaction.js';

/** Who opens the store: known by name, with the id it has had since its first time, else by id. */
export interface OpeningWorker {
  readonly id: WorkerId;
  readonly name: string;
  readonly startedAt: string;
}

/** Begins a new life of a worker: its epoch is higher than any before. */
export function* enterWorker(reader: Reader, worker: OpeningWorker): Steps<WorkerIdentity> {
  const { build } = reader;
  const known = yield* readWorkers(reader);
  const epoch = Math.max(0, ...known.map((other) => other.epoch)) + 1;
  const times = { started_at: worker.startedAt, heartbeat_at: worker.startedAt };
  const self = known.find(({ name }) => name === worker.name) ?? known.find(({ id }) => id === worker.id);
  if (self) {
    const columns = { name: worker.name, epoch, ...times };
    yield* change(build.updateTable('workers').set(columns).where('id', '=', self.id));
    return { id: self.id, epoch };
  }
  yield* change(build.insertInto('workers').values({ id: worker.id, name: worker.name, epoch, ...times }));
  return { id: worker.id, epoch };
}

export function* beatWorker(tx: Transaction, { at }: Operation<'beatWorker'>): Steps<Changed> {
  const changed = yield* change(
    tx.build.updateTable('workers').set({ heartbeat_at: at }).where('id', '=', tx.worker.id),
  );
  return { changed };
}

export function* readWorkers(reader: Reader): Steps<StoredWorker[]> {
  const rows = yield* all(reader.build.selectFrom('workers').selectAll().orderBy('epoch'));
  return rows.map((row) =>
    StoredWorker.parse({
      id: row.id,
      name: row.name,
      epoch: row.epoch,
      startedAt: row.started_at,
      heartbeatAt: row.heartbeat_at,
    }),
  );
}
