import { realpathSync } from 'node:fs';
import { findExecutable } from '../../process/children/executable.js';
import { SpawnError } from '../../process/children/spawn-error.js';
import { Failure } from '../../protocol/failure.js';
import type { CheckedLaunch, Launch } from '../runtime.js';

/** The variable that says which Amp to start. */
const binaryVariable = 'HANDRAISE_AMP';

/** The program to start: the one that was named, else `amp` on the PATH. */
export function findAmp(env: Readonly<Record<string, string | undefined>>): string {
  const named = env[binaryVariable];
  try {
    return realpathSync(findExecutable(named ?? 'amp', { path: env['PATH'], cwd: '/' }));
  } catch (error) {
    if (!(error instanceof SpawnError)) throw error;
    const sentence =
      named === undefined
        ? `Amp is not installed. Install it with "npm install -g @sourcegraph/amp", or say in ${binaryVariable} where it is.`
        : `Amp is not installed where ${binaryVariable} says: ${error.message}. Install it, or correct ${binaryVariable}.`;
    throw new Failure('not_installed', sentence, { cause: error });
  }
}

/** The arguments of one turn: Amp ends after it, and the next one goes on with the same thread. */
export function ampArguments(threadId: string | null): string[] {
  const thread = threadId === null ? [] : ['threads', 'continue', threadId];
  return [...thread, '-x', '--stream-json', '--dangerously-allow-all'];
}

/** The environment of a turn's process: ours without what is ours alone. */
export function ampEnv(launch: Launch, more: Record<string, string>): Record<string, string> {
  const inherited = Object.entries(launch.env).filter(([name]) => !name.startsWith('HANDRAISE_'));
  return { ...Object.fromEntries(inherited), ...more };
}

/** Refuses what only Amp's own settings could see to. */
export function checkAmpLaunch({
  model,
  fallbackModel,
  betas,
  mcpServers,
  env,
  container,
}: CheckedLaunch): void {
  // In a container it is the image's.
  if (!container) findAmp(env);
  if (model !== undefined || fallbackModel !== undefined || betas.length > 0)
    throw unable('a choice of the model; Amp chooses it');
  if (Object.keys(mcpServers).length > 0) throw unable('MCP servers; add them to the settings of Amp');
}

function unable(what: string): Failure {
  return new Failure('unsupported_by_runtime', `The runtime amp cannot do this: ${what}.`);
}
