import { errnoOf } from '../process/files/errno.js';
import { Failure } from '../protocol/failure.js';

/** What the system refused, as a sentence that says what to do; null for what is not the system's doing. */
export function systemFailure(error: unknown): Failure | null {
  const place = error instanceof Error && 'path' in error ? String(error.path) : 'A file';
  const cause = { cause: error };
  switch (errnoOf(error)) {
    case 'EROFS':
      return new Failure(
        'no_permission',
        `${place} cannot be written: its file system is read-only. Set HANDRAISE_HOME to a folder that can be written.`,
        cause,
      );
    case 'EACCES':
    case 'EPERM':
      return new Failure(
        'no_permission',
        `${place} is not allowed for this user. Change its owner or mode, or set HANDRAISE_HOME to a folder of your own.`,
        cause,
      );
    case 'ENOSPC':
    case 'EDQUOT':
      return new Failure(
        'unavailable',
        `${place} cannot be written: the disk is full. Free some space and try again.`,
        cause,
      );
    case 'EMFILE':
    case 'ENFILE':
      return new Failure(
        'unavailable',
        'Too many files are open. Raise the limit (ulimit -n) and try again.',
        cause,
      );
    default:
      return null;
  }
}
