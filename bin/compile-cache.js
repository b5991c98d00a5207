// Keeps what V8 made of our code, so that the next start need not make it again. Node 22.1 and later can; an older one goes on without.
// The folder is the user's own, and not the shared one of temporary files, where others could leave code for us.
import { mkdirSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

const enableCompileCache = Reflect.get(module, 'enableCompileCache');
if (typeof enableCompileCache === 'function') {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'handraise', 'compiled');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    enableCompileCache(folder);
  } catch {
    // Without it the program only starts more slowly.
  }
}
