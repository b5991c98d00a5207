import type { RunId } from '../../protocol/id.js';

/** Where commands for a runner go. */
interface CommandTarget {
  readonly hello: { readonly protocol: number };
  send(command: object): void;
}

/** The runners that can be reached now, by the runs they serve. */
export class AttachedRunners {
  readonly #targets = new Map<RunId, CommandTarget>();

  /** The runner can be reached over this connection until it is disposed of. */
  attach(runId: RunId, target: CommandTarget): Disposable {
    this.#targets.set(runId, target);
    return {
      [Symbol.dispose]: () => {
        if (this.#targets.get(runId) === target) this.#targets.delete(runId);
      },
    };
  }

  has(runId: RunId): boolean {
    return this.#targets.has(runId);
  }

  /** Whether the runner can be reached and speaks this version of the frames, or a newer one. */
  speaks(runId: RunId, protocol: number): boolean {
    return (this.#targets.get(runId)?.hello.protocol ?? 0) >= protocol;
  }

  /** Sends a command if the runner is attached, and says whether it was; its receipt arrives as a recorded event. */
  send(runId: RunId, command: object): boolean {
    const target = this.#targets.get(runId);
    target?.send(command);
    return target !== undefined;
  }
}
