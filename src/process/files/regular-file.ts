import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errnoOf } from './errno.js';
import { RefusalError } from './refusal.js';

// Without O_NONBLOCK opening a named pipe would wait for its other end.
const GUARDED = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opens a regular file to read it, or gives undefined when there is none; a symbolic link is refused. */
export async function openToRead(path: string, name: string): Promise<FileHandle | undefined> {
  return await openRegular(path, { name, flags: constants.O_RDONLY });
}

/** Opens a regular file to append to it, making it first; a link of either kind is refused. */
export async function openToAppend(path: string, name: string): Promise<FileHandle> {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;
  const handle = await openRegular(path, { name, flags });
  if (handle === undefined) throw new RefusalError(`${name} cannot be made.`);
  if ((await handle.stat()).nlink === 1) return handle;
  await handle.close();
  throw new RefusalError(`${name} is a hard link to a file elsewhere, and is not written.`);
}

/** Reads a whole file as text, refusing one that is longer than the limit. */
export async function readText(handle: FileHandle, limit: { name: string; bytes: number }): Promise<string> {
  const { size } = await handle.stat();
  if (size > limit.bytes) throw new RefusalError(`${limit.name} is larger than ${limit.bytes} bytes.`);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, 0);
  return buffer.toString('utf8', 0, bytesRead);
}

async function openRegular(
  path: string,
  { name, flags }: { name: string; flags: number },
): Promise<FileHandle | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(path, flags | GUARDED, 0o644);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    if (errnoOf(error) === 'ELOOP')
      throw new RefusalError(`${name} is a symbolic link, and is not followed.`);
    if (errnoOf(error) === 'EISDIR' || errnoOf(error) === 'ENXIO')
      throw new RefusalError(`${name} is not a file.`);
    throw error;
  }
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw new RefusalError(`${name} is not a file.`);
}
