import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = new URL('../../node_modules/.cache/handraise/', import.meta.url).pathname;

/** Packages, fetched once from the mirror that the machine uses and unpacked into a folder, so that nothing is installed. */
export async function unpackedPackages(name: string, packages: readonly string[]): Promise<string> {
  const place = join(cache, name);
  const root = join(place, 'root');
  if (existsSync(root)) return root;
  mkdirSync(place, { recursive: true });
  const fresh = await mkdtemp(join(place, '.new-'));
  try {
    await run('apt-get', ['download', ...packages], { cwd: fresh, timeout: 120_000 });
    for (const file of await readdir(fresh))
      await run('dpkg-deb', ['--extract', file, 'root'], { cwd: fresh });
    await rename(join(fresh, 'root'), root);
  } catch (error) {
    // A run beside this one may have been quicker.
    if (!existsSync(root)) throw error;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return root;
}
