import { findExecutable } from '../../process/children/executable.js';
import { SpawnError } from '../../process/children/spawn-error.js';
import { Failure } from '../../protocol/failure.js';

/** The variable that names an installed Claude Code. */
const binaryVariable = 'HANDRAISE_CLAUDE';

/** The Claude Code that the user has named; null where the copy that comes with the SDK is started. */
export function namedClaude(env: Readonly<Record<string, string | undefined>>): string | null {
  const named = env[binaryVariable];
  if (named === undefined) return null;
  try {
    return findExecutable(named, { path: env['PATH'], cwd: '/' });
  } catch (error) {
    if (!(error instanceof SpawnError)) throw error;
    throw new Failure(
      'unavailable',
      `Claude Code is not installed where ${binaryVariable} says: ${error.message}. Install it, or correct or remove ${binaryVariable}.`,
      { cause: error },
    );
  }
}
