import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findExecutable } from '../../process/children/executable.js';
import { SpawnError } from '../../process/children/spawn-error.js';
import { Failure } from '../../protocol/failure.js';

/** The variable that says which Codex to start. */
const binaryVariable = 'HANDRAISE_CODEX';

const installSentence = `Codex is not installed. Install it with "npm install -g @openai/codex", or say in ${binaryVariable} where it is.`;

/** The program to start: the one that was named, else `codex` on the PATH, else one installed beside us. */
export function findCodex(env: Readonly<Record<string, string | undefined>>): string {
  const named = env[binaryVariable];
  try {
    return native(findExecutable(named ?? 'codex', { path: env['PATH'], cwd: '/' }));
  } catch (error) {
    if (!(error instanceof SpawnError)) throw error;
    if (named !== undefined)
      throw new Failure(
        'not_installed',
        `Codex is not installed where ${binaryVariable} says: ${error.message}. Install it, or correct ${binaryVariable}.`,
        {
          cause: error,
        },
      );
    const beside = vendored(import.meta.url);
    if (beside !== null) return beside;
    throw new Failure('not_installed', installSentence, { cause: error });
  }
}

/** npm's `codex` is a script that starts the program as its child, and outlives a SIGKILL of it for a moment. */
function native(file: string): string {
  const real = realpathSync(file);
  return real.endsWith('/bin/codex.js') ? (vendored(real) ?? file) : file;
}

/** The program inside of the npm package, as seen from a module that could import it. */
function vendored(from: string): string | null {
  const platform = `@openai/codex-${process.platform}-${process.arch}`;
  const cpu = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  const system = process.platform === 'darwin' ? 'apple-darwin' : 'unknown-linux-musl';
  try {
    const manifest = createRequire(from).resolve(`${platform}/package.json`);
    const file = join(dirname(manifest), 'vendor', `${cpu}-${system}`, 'bin', 'codex');
    return existsSync(file) ? file : null;
  } catch {
    return null;
  }
}
