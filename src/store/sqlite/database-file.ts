import { accessSync, chmodSync, closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../../protocol/failure.js';
import { errorCode } from './sqlite-failure.js';

const sticky = 0o1000;

/**
 * Makes the database's folder (0700) and its empty file (0600) where they are missing.
 * A file that is there is never opened: closing it would take away the POSIX locks of another connection in this process.
 */
export function prepareDatabaseFile(file: string): void {
  const folder = dirname(file);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  accessSync(folder, constants.W_OK | constants.X_OK);
  // A sticky folder is one like /tmp: to close it to the others would break the machine.
  if (statSync(folder).mode & sticky) {
    throw new Failure('config', `The folder ${folder} is shared with other users. Choose a home of its own.`);
  }
  chmodSync(folder, 0o700);
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    accessSync(file, constants.R_OK | constants.W_OK);
    chmodSync(file, 0o600);
  }
}
