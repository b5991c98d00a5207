import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const own = new URL('pins/', import.meta.url).pathname;
const cache = new URL('../../node_modules/.cache/handraise/', import.meta.url).pathname;

/** Installs pinned peers once, and gives the folder that holds their node_modules. @param {string} pins the folder of their package files */
export async function installedPeers(pins = own) {
  const lock = await readFile(join(pins, 'package-lock.json'));
  const folder = join(cache, `peers-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, '.peers-'));
  try {
    for (const file of ['package.json', 'package-lock.json'])
      await copyFile(join(pins, file), join(fresh, file));
    const args = ['ci', '--no-audit', '--no-fund', '--engine-strict=false'];
    await promisify(execFile)('npm', args, { cwd: fresh });
    await rename(fresh, folder);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return folder;
}
