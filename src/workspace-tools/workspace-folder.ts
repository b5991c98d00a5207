import { constants, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../process/files/errno.js';
import { RefusalError } from '../process/files/refusal.js';
import { openToAppend, openToRead, readText } from '../process/files/regular-file.js';

/** A real folder directly inside the workspace, kept open so that it cannot be swapped for a link. */
export class WorkspaceFolder implements AsyncDisposable {
  readonly #name: string;
  readonly #handle: FileHandle;
  readonly #path: string;

  private constructor({ name, handle, path }: { name: string; handle: FileHandle; path: string }) {
    this.#name = name;
    this.#handle = handle;
    this.#path = path;
  }

  /** Opens the folder, or gives undefined when there is none. */
  static async open(cwd: string, name: string): Promise<WorkspaceFolder | undefined> {
    const path = join(cwd, name);
    try {
      const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
      // Node has no openat; a path through the open descriptor is the same thing, where there is a /proc.
      const opened = `/proc/self/fd/${handle.fd}`;
      return new WorkspaceFolder({ name, handle, path: existsSync(opened) ? opened : path });
    } catch (error) {
      const errno = errnoOf(error);
      if (errno === 'ENOENT') return undefined;
      if (errno !== 'ENOTDIR' && errno !== 'ELOOP') throw error;
      throw new RefusalError(`${name} in the workspace is a symbolic link or not a folder, and is not used.`);
    }
  }

  /** Opens the folder, making it first. */
  static async create(cwd: string, name: string): Promise<WorkspaceFolder> {
    await mkdir(join(cwd, name)).catch((error: unknown) => {
      if (errnoOf(error) !== 'EEXIST') throw error;
    });
    const folder = await WorkspaceFolder.open(cwd, name);
    if (folder === undefined)
      throw new RefusalError(`${name} in the workspace was removed while it was being made.`);
    return folder;
  }

  /** The text of a file, or undefined when there is none. */
  async read(file: string, maxBytes: number): Promise<string | undefined> {
    const name = `${this.#name}/${file}`;
    await using handle = await openToRead(join(this.#path, file), name);
    if (handle === undefined) return undefined;
    return await readText(handle, { name, bytes: maxBytes });
  }

  /** Makes a file hold this text and nothing else. */
  async write(file: string, text: string): Promise<void> {
    await using handle = await openToAppend(join(this.#path, file), `${this.#name}/${file}`);
    await handle.truncate();
    await handle.appendFile(text);
  }

  /** Puts a whole file in the place of another: whoever is killed in between leaves the old one, and no link is followed. */
  async replace(file: string, { text, beside }: { text: string; beside: string }): Promise<void> {
    const place = join(this.#path, beside);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    try {
      await using handle = await open(place, flags, 0o644);
      await handle.writeFile(text);
      await handle.sync();
      await rename(place, join(this.#path, file));
    } catch (error) {
      await rm(place, { force: true });
      throw error;
    }
    await this.#handle.sync();
  }

  /** Adds one line and waits until it is on the disk; a torn line before it is closed off first. */
  async appendLine(file: string, { line, maxBytes }: { line: string; maxBytes: number }): Promise<void> {
    const name = `${this.#name}/${file}`;
    await using handle = await openToAppend(join(this.#path, file), name);
    const { size } = await handle.stat();
    const bytes = Buffer.from(`${(await endsTorn(handle, size)) ? '\n' : ''}${line}\n`);
    if (size + bytes.length > maxBytes)
      throw new RefusalError(`${name} is full: it may not pass ${maxBytes} bytes.`);
    await handle.appendFile(bytes);
    await handle.sync();
    if (size === 0) await this.#handle.sync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}

async function endsTorn(handle: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() !== '\n';
}
