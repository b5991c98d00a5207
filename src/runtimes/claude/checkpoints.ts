import { isAbsolute, relative, resolve } from 'node:path';
import { outsidePath } from '../../domain/container/container-arguments.js';
import type { EventBody } from '../../protocol/event.js';
import type { Launch } from '../runtime.js';
import { CheckpointStore } from './checkpoint-store.js';
import type { ToolHook } from './wire.js';
import { changedPaths, type Manifest, readManifest } from './workspace-manifest.js';

const fileTools = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/** The runtime's own rewind, which knows user messages only. */
export interface NativeRewind {
  /** The files that a rewind to this message would change, or null when there is no such checkpoint. */
  preview(uuid: string): Promise<string[] | null>;
  rewind(uuid: string): Promise<void>;
}

/**
 * Checkpoints per user message (the runtime's own) and per result (ours, because the runtime has none).
 * Both remember which files the workspace held, so that a rewind can name what neither can restore: what
 * Bash changed, which the runtime reports as rewound (measured).
 */
export class Checkpoints {
  readonly #launch: Launch;
  readonly #native: NativeRewind;
  readonly #newUuid: () => string;
  #store: Promise<CheckpointStore> | null = null;
  #message: {
    readonly uuid: string;
    readonly native: string;
    readonly manifest: Manifest | null;
    announced: boolean;
  } | null = null;
  #messages = 0;

  constructor(launch: Launch, native: NativeRewind, newUuid: () => string) {
    this.#launch = launch;
    this.#native = native;
    this.#newUuid = newUuid;
  }

  /** Looks at the workspace before the message is handed over. */
  async messageBegins({ uuid, native }: { uuid: string; native: string }): Promise<void> {
    this.#message = { uuid, native, manifest: await readManifest(this.#launch.cwd), announced: false };
    this.#messages += 1;
  }

  sessionKnown(sessionId: string): void {
    this.#store = CheckpointStore.open(this.#launch.stateDir, sessionId);
  }

  async beforeTool(hook: ToolHook): Promise<void> {
    const path = hook.tool_input['file_path'] ?? hook.tool_input['notebook_path'];
    if (!fileTools.has(hook.tool_name) || typeof path !== 'string') return;
    const { cwd, container } = this.#launch;
    await (await this.#store)?.track(resolve(cwd, container ? outsidePath(cwd, path) : path));
  }

  /** The message's checkpoint, once the runtime has made it; no uuid is told that cannot be rewound to. */
  async messageCheckpoint(): Promise<EventBody<'checkpoint_created'>[]> {
    const message = this.#message;
    const store = await this.#store;
    if (!message || message.announced || !store || (await this.#native.preview(message.native)) === null)
      return [];
    message.announced = true;
    await store.add(message.uuid, { isResult: false, manifest: message.manifest, native: message.native });
    return [this.#created(message.uuid, false)];
  }

  async resultCheckpoint(): Promise<EventBody<'checkpoint_created'>[]> {
    const store = await this.#store;
    if (!store) return [];
    const uuid = this.#newUuid();
    await store.add(uuid, { isResult: true, manifest: await readManifest(this.#launch.cwd) });
    return [this.#created(uuid, true)];
  }

  async rewind(uuid: string): Promise<EventBody<'files_rewound'>> {
    const failed = (error: string) =>
      ({ type: 'files_rewound', checkpointUuid: uuid, success: false, error }) as const;
    const store = await (this.#store ?? this.#resumed());
    const checkpoint = store?.get(uuid);
    if (store && checkpoint?.isResult) {
      const restored = await store.restore(checkpoint);
      return {
        type: 'files_rewound',
        checkpointUuid: uuid,
        success: true,
        ...(await this.#notRestored(checkpoint.manifest, restored)),
      };
    }
    const native = checkpoint?.native ?? uuid;
    const changed = await this.#native.preview(native);
    if (changed === null) return failed('There is no such checkpoint in this session.');
    await this.#native.rewind(native);
    return {
      type: 'files_rewound',
      checkpointUuid: uuid,
      success: true,
      ...(await this.#notRestored(checkpoint?.manifest ?? null, changed)),
    };
  }

  async #resumed(): Promise<CheckpointStore | null> {
    return this.#launch.resume === undefined || this.#launch.fork
      ? null
      : await CheckpointStore.open(this.#launch.stateDir, this.#launch.resume);
  }

  async #notRestored(
    before: Manifest | null,
    restored: readonly string[],
  ): Promise<{ notRestored?: string[] }> {
    const after = before && (await readManifest(this.#launch.cwd));
    if (!before || !after) return {};
    const done = new Set(
      restored.map((path) => (isAbsolute(path) ? relative(this.#launch.cwd, path) : path)),
    );
    const left = changedPaths(before, after).filter((path) => !done.has(path));
    return left.length > 0 ? { notRestored: left } : {};
  }

  #created(checkpointUuid: string, isResult: boolean): EventBody<'checkpoint_created'> {
    return {
      type: 'checkpoint_created',
      checkpointUuid,
      messageIndex: Math.max(0, this.#messages - 1),
      isResult,
    };
  }
}
