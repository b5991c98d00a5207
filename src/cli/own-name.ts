import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { programFile } from '../compose.js';

/** How to call this program again from any folder, as somebody would type it. */
export function ownName(env: NodeJS.ProcessEnv, file = programFile): string {
  // npx puts the program on the PATH for as long as it runs, and no longer.
  if (file.includes('/_npx/')) return 'npx handraise';
  const isOnPath = (env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'handraise')));
  return isOnPath ? 'handraise' : `node ${file}`;
}
