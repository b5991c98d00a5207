import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';

/** The SQLSTATE of an error of the server, or the code of one of the network; empty for anything else. */
export function postgresErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The server did not answer, or the connection broke; whether a statement was done is not known. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

// 08: the connection; 57P: the server ends or starts; 25006: it has become a standby, and another one takes writes.
const goneState = /^(08...|57P0[1-5]|25006)$/;
/** Whether the server itself said what is wrong. */
export function isServersWord(error: unknown): boolean {
  return /^[0-9A-Z]{5}$/.test(postgresErrorCode(error));
}

/** Whether the server cannot be talked to any more over this connection, as opposed to what is wrong with a statement. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof ConnectionLost || goneState.test(postgresErrorCode(error)) || isStalePlan(error);
}

/** Whether a statement was planned before its tables changed, and returns other columns by now. */
function isStalePlan(error: unknown): boolean {
  // The server has no code of its own for this, and says it in its own language; what it calls the place does not change.
  return (
    postgresErrorCode(error) === '0A000' &&
    error instanceof Error &&
    'routine' in error &&
    error.routine === 'RevalidateCachedQuery'
  );
}

/** Whether another try of the same transaction may succeed: it stood in the way of another one. */
export function isInterference(error: unknown): boolean {
  return /^(40001|40P01|55P03)$/.test(postgresErrorCode(error));
}

/** Whether the server as a whole cannot go on now: no room, no memory, no connections. */
export function isServerTrouble(error: unknown): boolean {
  return /^(53...|58...|XX...)$/.test(postgresErrorCode(error));
}

/** What went wrong with the database, as a sentence that says what to do; never with the password. */
export function postgresFailure(error: unknown, place: string): Failure {
  if (error instanceof Failure) return error;
  const origin = error instanceof ConnectionLost ? error.cause : error;
  const code = postgresErrorCode(origin);
  const cause = { cause: error };
  if (code === '28P01' || code === '28000')
    return new Failure(
      'no_permission',
      `PostgreSQL refuses the login ${place} (${errorSentence(origin)}) Check user and password in the store URL, and pg_hba.conf of the server.`,
      cause,
    );
  if (code === '3D000')
    return new Failure(
      'config',
      `There is no such database: ${place}. Create it with "createdb", or correct the store URL.`,
      cause,
    );
  if (code === '42501')
    return new Failure(
      'no_permission',
      `The user of ${place} may not do what Handraise needs (${errorSentence(origin)}) Make it the owner of the database.`,
      cause,
    );
  if (code === '53100')
    return new Failure(
      'unavailable',
      `The disk of the server ${place} is full. Free some space and try again; what was acknowledged is kept.`,
      cause,
    );
  if (code === '53300')
    return new Failure(
      'unavailable',
      `The server ${place} takes no more connections. Raise max_connections, or stop another client.`,
      cause,
    );
  if (/CERT|SELF_SIGNED|SSL|TLS|ALTNAME/.test(code) || /\bSSL\b/.test(String(origin)))
    return new Failure(
      'config',
      `No secure connection to ${place} (${errorSentence(origin)}) Correct sslmode or sslrootcert in the store URL.`,
      cause,
    );
  if (isConnectionLost(error))
    return new Failure(
      'unavailable',
      `PostgreSQL at ${place} cannot be reached (${code === '' ? errorSentence(origin) : code}). Check that it runs and takes connections from here; what was acknowledged is kept.`,
      cause,
    );
  return new Failure(
    'internal',
    `The database ${place} refused an operation: ${errorSentence(origin)}`,
    cause,
  );
}
