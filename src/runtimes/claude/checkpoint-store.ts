import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { readBoundedBytes, readBoundedFile } from '../../process/files/bounded-file.js';
import { Failure } from '../../protocol/failure.js';
import type { Manifest } from './workspace-manifest.js';

const largestFile = 64 * 2 ** 20;
// The manifest of a workspace with 400,000 files.
const largestRecord = 64 * 2 ** 20;

const Checkpoint = z.object({
  isResult: z.boolean(),
  /** The runtime's own name for a message's checkpoint. */
  native: z.string().optional(),
  /** Content of each file that the agent's file tools touched: a hash, or null where there was no file. */
  files: z.record(z.string(), z.string().nullable()),
  manifest: z.record(z.string(), z.string()).nullable(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

/** The checkpoints of one session on disk, so that a resumed session can still go back to them. */
export class CheckpointStore {
  readonly #folder: string;
  readonly #checkpoints = new Map<string, Checkpoint>();
  readonly #tracked = new Set<string>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(stateDir: string, sessionId: string): Promise<CheckpointStore> {
    const store = new CheckpointStore(join(stateDir, 'checkpoints', sessionId.replaceAll(/[^\w-]/g, '_')));
    await mkdir(join(store.#folder, 'blobs'), { recursive: true, mode: 0o700 });
    for (const file of await readdir(store.#folder)) {
      if (file.endsWith('.json')) store.#load(file);
    }
    return store;
  }

  get(uuid: string): Checkpoint | undefined {
    return this.#checkpoints.get(uuid);
  }

  /** Keeps a checkpoint; a result's holds the present content of every tracked file. */
  async add(
    uuid: string,
    checkpoint: { isResult: boolean; manifest: Manifest | null; native?: string },
  ): Promise<void> {
    const files: Record<string, string | null> = {};
    for (const path of checkpoint.isResult ? this.#tracked : []) {
      const blob = await this.#keep(path);
      if (blob !== undefined) files[path] = blob;
    }
    await this.#save(uuid, { ...checkpoint, files });
  }

  /** A file tool is about to touch this path: what it holds now is what every earlier checkpoint holds. */
  async track(path: string): Promise<void> {
    if (this.#tracked.has(path)) return;
    this.#tracked.add(path);
    const blob = await this.#keep(path);
    if (blob === undefined) return;
    for (const [uuid, checkpoint] of this.#checkpoints) {
      if (checkpoint.isResult && !Object.hasOwn(checkpoint.files, path)) {
        await this.#save(uuid, { ...checkpoint, files: { ...checkpoint.files, [path]: blob } });
      }
    }
  }

  /** Puts every file of a result's checkpoint back, and gives their paths. */
  async restore(checkpoint: Checkpoint): Promise<string[]> {
    for (const [path, blob] of Object.entries(checkpoint.files)) {
      if (blob === null) {
        await rm(path, { force: true });
      } else {
        const content = this.#kept(path, blob);
        await mkdir(dirname(path), { recursive: true });
        // In place of what is there: written through a link, it would change a file elsewhere.
        await rm(path, { force: true });
        await writeFile(path, content, { flag: 'wx' });
      }
    }
    return Object.keys(checkpoint.files);
  }

  #load(file: string): void {
    const read = readBoundedFile(join(this.#folder, file), { limit: largestRecord, followLink: false });
    if (!read.ok) return;
    try {
      const checkpoint = Checkpoint.parse(JSON.parse(read.text));
      this.#checkpoints.set(file.slice(0, -'.json'.length), checkpoint);
      for (const path of Object.keys(checkpoint.files)) this.#tracked.add(path);
    } catch {
      // Written by another version: it cannot be rewound to, and a rewind to it says so.
    }
  }

  /** What a checkpoint kept of a file, if it is still that. */
  #kept(path: string, blob: string): Buffer {
    const read = readBoundedBytes(join(this.#folder, 'blobs', basename(blob)), {
      limit: largestFile,
      followLink: false,
    });
    const why = !read.ok ? read.error : hashOf(read.bytes) === blob ? null : 'it was changed since';
    if (read.ok && why === null) return read.bytes;
    throw new Failure('conflict', `What the checkpoint kept of ${path} cannot be used: ${why}.`);
  }

  async #save(uuid: string, checkpoint: Checkpoint): Promise<void> {
    this.#checkpoints.set(uuid, checkpoint);
    await replaceFile(join(this.#folder, `${uuid}.json`), JSON.stringify(checkpoint));
  }

  /** Null where there is no file; undefined for what cannot be kept, and is left alone by every rewind. */
  async #keep(path: string): Promise<string | null | undefined> {
    const read = readBoundedBytes(path, { limit: largestFile, followLink: false });
    if (!read.ok) return read.missing ? null : undefined;
    const hash = hashOf(read.bytes);
    await replaceFile(join(this.#folder, 'blobs', hash), read.bytes);
    return hash;
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(`${path}.part`, content, { mode: 0o600 });
  await rename(`${path}.part`, path);
}
