import { closeSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../../protocol/failure.js';
import type { SqliteConnection } from './connection.js';
import { errorCode } from './sqlite-failure.js';
import { syncPath } from './sync-path.js';

/**
 * Writes the database into a new file that only its owner can read, and waits until the disk has it. One statement reads all of
 * it, in the thread that writes, so no unit is in it by half. On any trouble nothing is left of the file.
 */
export function writeBackup(connection: SqliteConnection, file: string): void {
  create(file);
  try {
    connection.prepare('vacuum into ?').run([file]);
    syncPath(file);
    syncPath(dirname(file));
  } catch (error) {
    rmSync(file, { force: true });
    if (errorCode(error).startsWith('SQLITE_FULL') || errorCode(error) === 'ENOSPC')
      throw new Failure('unavailable', `There is no room for a backup at ${file}. Choose another place.`);
    throw error;
  }
}

/** Makes the file before anything is written to it: whoever has it already keeps it, and nobody else may read it. */
function create(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST')
      throw new Failure('conflict', `${file} is there already, and stays as it is. Name another file.`);
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new Failure('missing_file', `The folder of ${file} is not there. Make it first.`);
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
      throw new Failure('no_permission', `The worker may not write ${file}. Name another place.`);
    throw error;
  }
}
