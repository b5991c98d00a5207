import { readdirSync, rmSync, type Stats, statSync } from 'node:fs';
import { isMarkedByOthers } from '../process/families/marked-ancestor.js';
import { runMarkerName } from '../process/families/run-marker.js';
import { isLinkProof } from '../process/link-proof.js';
import { type AttachFrame, holdFileOf } from '../protocol/detached.js';

// A worker's epoch grows by one with each start, and each start attaches to every run.
const mostEpochsAhead = 1000;

export interface AttachGateOptions {
  readonly secret: string;
  readonly runId: string;
  readonly socket: string;
  /** Whether a process belongs to an agent. */
  readonly isAgent?: (pid: number) => boolean;
  /** Whether a process has a file open; null where this cannot be seen. */
  readonly holds?: (pid: number, file: string) => boolean | null;
}

/** Decides who may attach to a runner: a worker that knows the secret of the run, and no agent. */
export class AttachGate {
  readonly #options: AttachGateOptions;
  readonly #isAgent: (pid: number) => boolean;
  readonly #holds: (pid: number, file: string) => boolean | null;

  constructor(options: AttachGateOptions) {
    this.#options = options;
    this.#isAgent = options.isAgent ?? ((pid) => isMarkedByOthers(pid, runMarkerName));
    this.#holds = options.holds ?? holdsFile;
  }

  /** Why somebody is not let in; null for the worker. */
  problemWith(
    frame: AttachFrame,
    { greeting, epoch }: { readonly greeting: string; readonly epoch: number },
  ): string | null {
    const { secret, runId, socket } = this.#options;
    if (!isLinkProof(frame.proof, secret, { by: 'worker', runId, epoch: frame.epoch, nonce: greeting }))
      return 'The proof is wrong: whoever attaches must know the secret of the run.';
    if (frame.epoch > epoch + mostEpochsAhead)
      return `The epoch ${frame.epoch} is too far from ${epoch}, the last one.`;
    const file = holdFileOf(socket, { nonce: greeting });
    const isHeld = this.#holds(frame.pid, file);
    rmSync(file, { force: true });
    if (isHeld === null) return null;
    if (!isHeld) return `The process ${frame.pid} is not the one that attaches.`;
    return this.#isAgent(frame.pid) ? `The process ${frame.pid} belongs to an agent.` : null;
  }
}

function holdsFile(pid: number, file: string): boolean | null {
  if (process.platform !== 'linux') return null;
  const wanted = statOf(file);
  if (!wanted) return false;
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((name) => {
      const held = statOf(`${folder}/${name}`);
      return held?.ino === wanted.ino && held.dev === wanted.dev;
    });
  } catch {
    return false;
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
