import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder of everything that is kept; a variable that is empty counts as one that is not set. */
export function homeFolder(env: Readonly<Record<string, string | undefined>>): string {
  const state = env['XDG_STATE_HOME'] || join(env['HOME'] || homedir(), '.local', 'state');
  return env['HANDRAISE_HOME'] || join(state, 'handraise');
}
