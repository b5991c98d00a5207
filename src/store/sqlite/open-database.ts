import { enterWorker } from '../sql/workers.js';
import type { WorkerIdentity } from '../unit.js';
import { SqliteConnection } from './connection.js';
import { prepareDatabaseFile } from './database-file.js';
import type { ThreadStart } from './message.js';
import { migrate } from './migrate.js';
import { catchUpSearch } from './search-backlog.js';
import { sqliteFailure } from './sqlite-failure.js';

/** Opens the file as its only owner, with this program's schema, and begins a new life of the worker. */
export async function openDatabase({ file, worker }: ThreadStart): Promise<{
  connection: SqliteConnection;
  worker: WorkerIdentity;
}> {
  try {
    prepareDatabaseFile(file);
    const connection = new SqliteConnection(file);
    await migrate(connection, file);
    catchUpSearch(connection);
    return { connection, worker: connection.drive(enterWorker(connection, worker)) };
  } catch (error) {
    throw sqliteFailure(error, file);
  }
}
