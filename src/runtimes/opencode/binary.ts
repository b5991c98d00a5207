import { realpathSync } from 'node:fs';
import { findExecutable } from '../../process/children/executable.js';
import { SpawnError } from '../../process/children/spawn-error.js';
import { Failure } from '../../protocol/failure.js';

/** The variable that says which OpenCode to start. */
const binaryVariable = 'HANDRAISE_OPENCODE';

/** The program to start: the one that was named, else `opencode` on the PATH. */
export function findOpencode(env: Readonly<Record<string, string | undefined>>): string {
  const named = env[binaryVariable];
  try {
    return realpathSync(findExecutable(named ?? 'opencode', { path: env['PATH'], cwd: '/' }));
  } catch (error) {
    if (!(error instanceof SpawnError)) throw error;
    const sentence =
      named === undefined
        ? `OpenCode is not installed. Install it with "npm install -g opencode-ai", or say in ${binaryVariable} where it is.`
        : `OpenCode is not installed where ${binaryVariable} says: ${error.message}. Install it, or correct ${binaryVariable}.`;
    throw new Failure('not_installed', sentence, { cause: error });
  }
}
