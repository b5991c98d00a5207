import { constants } from 'node:fs';
import { copyFile, link, lstat, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { markedPids } from '../families/process-table.js';
import { readBoundedFile } from '../files/bounded-file.js';
import { errnoOf } from '../files/errno.js';
import { RefusalError } from '../files/refusal.js';
import { Git } from './git.js';
import { findPlaces } from './shadow-repository.js';

const LOCK_WAIT_MS = 10_000;
const TOKEN_LIMIT = 1000;

export interface IndexLock {
  /** The checkout whose index it is. */
  readonly top: string;
  readonly env: Readonly<Record<string, string>>;
  /** Who holds the lock, so that whoever goes on after a kill knows it for its own. */
  readonly owner: string;
}

/**
 * Changes the index of a checkout under git's own lock for it, which names its owner: a lock that a killed owner left is
 * taken over by that owner only, once no git of its is left, and a lock of anybody else's is never removed. Git works on
 * a copy, which becomes the index when all went well.
 */
export async function inLockedIndex<Result>(
  { top, env, owner }: IndexLock,
  act: (git: Git) => Promise<Result>,
): Promise<Result> {
  const { index } = await findPlaces(await Git.open({ cwd: top, env }));
  const copy = `${index}.handraise`;
  const marker = { name: 'HANDRAISE_INDEX_LOCK', value: owner };
  await takeLock(`${index}.lock`, owner);
  try {
    // The worker may have been killed and not its git, which then still writes files.
    while (markedPids(marker).size > 0) await delay(100);
    await rm(`${copy}.lock`, { force: true });
    await rm(copy, { force: true });
    const found = await lstat(index).catch(() => undefined);
    if (found && !found.isFile()) throw new RefusalError(`${index} is not a file.`);
    if (found) await copyFile(index, copy, constants.COPYFILE_EXCL);
    const variables = { GIT_INDEX_FILE: copy, [marker.name]: marker.value };
    const result = await act(await Git.open({ cwd: top, env, variables }));
    if (await lstat(copy).catch(() => undefined)) await rename(copy, index);
    return result;
  } finally {
    await rm(copy, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}

async function takeLock(lock: string, owner: string): Promise<void> {
  const token = `handraise ${owner}\n`;
  const mine = `${lock}.${owner}`;
  const until = performance.now() + LOCK_WAIT_MS;
  await rm(mine, { force: true });
  await writeFile(mine, token, { flag: 'wx' });
  try {
    while (!(await linked(mine, lock))) {
      const held = readBoundedFile(lock, { limit: TOKEN_LIMIT, followLink: false });
      if (held.ok && held.text === token) return;
      if (performance.now() > until)
        throw new RefusalError(
          `Another git is at work there and holds ${lock}. If none is, remove that file; then try again.`,
        );
      await delay(100);
    }
  } finally {
    await rm(mine, { force: true });
  }
}

// A link, unlike a new file, has its content from the first moment on.
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}
