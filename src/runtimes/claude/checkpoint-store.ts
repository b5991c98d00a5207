import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { Manifest } from './workspace-manifest.js';

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
      if (file.endsWith('.json')) await store.#load(file);
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
    if (checkpoint.isResult) for (const path of this.#tracked) files[path] = await this.#keep(path);
    await this.#save(uuid, { ...checkpoint, files });
  }

  /** A file tool is about to touch this path: what it holds now is what every earlier checkpoint holds. */
  async track(path: string): Promise<void> {
    if (this.#tracked.has(path)) return;
    this.#tracked.add(path);
    const blob = await this.#keep(path);
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
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, await readFile(join(this.#folder, 'blobs', blob)));
      }
    }
    return Object.keys(checkpoint.files);
  }

  async #load(file: string): Promise<void> {
    const text = await readFile(join(this.#folder, file), 'utf8');
    try {
      const checkpoint = Checkpoint.parse(JSON.parse(text));
      this.#checkpoints.set(file.slice(0, -'.json'.length), checkpoint);
      for (const path of Object.keys(checkpoint.files)) this.#tracked.add(path);
    } catch {
      // Written by another version: it cannot be rewound to, and a rewind to it says so.
    }
  }

  async #save(uuid: string, checkpoint: Checkpoint): Promise<void> {
    this.#checkpoints.set(uuid, checkpoint);
    await replaceFile(join(this.#folder, `${uuid}.json`), JSON.stringify(checkpoint));
  }

  async #keep(path: string): Promise<string | null> {
    const content = await readFile(path).catch(() => null);
    if (content === null) return null;
    const hash = createHash('sha256').update(content).digest('hex');
    await replaceFile(join(this.#folder, 'blobs', hash), content);
    return hash;
  }
}

async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(`${path}.part`, content, { mode: 0o600 });
  await rename(`${path}.part`, path);
}
