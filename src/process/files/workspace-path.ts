import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, posix, sep } from 'node:path';
import { errnoOf } from './errno.js';
import { RefusalError } from './refusal.js';

/** A file's path in its one spelling, relative to the workspace; refuses whatever leads outside. */
export async function workspacePath(cwd: string, file: string): Promise<string> {
  const path = posix.normalize(file);
  if (file.includes('\0') || isAbsolute(file) || path === '..' || path.startsWith('../')) {
    throw new RefusalError(`${JSON.stringify(file)} is not a relative path inside the workspace.`);
  }
  if (path === '.' || path === './' || path.endsWith('/')) {
    throw new RefusalError(`${JSON.stringify(file)} names a folder, not a file.`);
  }
  const root = await realpath(cwd);
  const real = await realExisting(join(root, path), file);
  if (real !== root && !real.startsWith(root + sep)) {
    throw new RefusalError(`${JSON.stringify(file)} leads outside the workspace through a symbolic link.`);
  }
  return path;
}

// A deleted file may still be reviewed, so the nearest folder that exists decides.
async function realExisting(path: string, file: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOTDIR') return await realExisting(dirname(path), file);
    if (errnoOf(error) !== 'ENOENT') throw new RefusalError(`${JSON.stringify(file)} cannot be resolved.`);
    const dangling = await lstat(path).catch(() => undefined);
    if (dangling) throw new RefusalError(`${JSON.stringify(file)} is a symbolic link to nowhere.`);
    return await realExisting(dirname(path), file);
  }
}
