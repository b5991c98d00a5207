import { errorSentence } from '../../protocol/error-sentence.js';
import { Failure } from '../../protocol/failure.js';

/** The code of an error of SQLite or of the file system: `SQLITE_FULL`, `EACCES`; empty for anything else. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** What went wrong with the database file, as a sentence that says what to do. */
export function sqliteFailure(error: unknown, file: string): Failure {
  if (error instanceof Failure) return error;
  const code = errorCode(error);
  const cause = { cause: error };
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return new Failure(
      'home_busy',
      `Another worker holds ${file}. Stop it with "handraise down", or give this one a home of its own.`,
      cause,
    );
  }
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) {
    return new Failure(
      'config',
      `The database ${file} is damaged. Put back a backup of it, or move it and the files beside it away to start anew.`,
      cause,
    );
  }
  if (/^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(code)) {
    return new Failure(
      'unavailable',
      `The disk that holds ${file} is full. Free some space and try again; what was acknowledged is kept.`,
      cause,
    );
  }
  if (/^(SQLITE_(READONLY|CANTOPEN|PERM)|EACCES|EPERM|EROFS|EEXIST|ENOTDIR|EISDIR)/.test(code)) {
    return new Failure(
      'no_permission',
      `The database ${file} cannot be written. Make its folder writable for this user, or choose another home.`,
      cause,
    );
  }
  if (code.startsWith('SQLITE_IOERR')) {
    return new Failure(
      'unavailable',
      `The disk that holds ${file} reports errors (${code}). Check the disk, then start again.`,
      cause,
    );
  }
  const detail = errorSentence(error);
  return new Failure('internal', `The database ${file} refused an operation: ${detail}`, cause);
}
