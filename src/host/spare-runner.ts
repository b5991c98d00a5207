import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type DetachedCommand, spawnDetached } from '../process/detached-child.js';
import { findProcess } from '../process/process-table.js';
import { readLines } from '../process/read-lines.js';
import { signalProcess } from '../process/signal-process.js';
import type { LaunchFrame } from '../protocol/detached.js';
import type { RuntimeName } from '../protocol/posture.js';
import type { ProcessIdentity } from '../protocol/run.js';

const lookAgainMs = 50;

/** A runner that waits warm for the next run, so that new work starts without a cold Node. It dies with its worker. */
export class SpareRunner {
  readonly runtime: RuntimeName;
  readonly #process: ProcessIdentity;
  readonly #socket: Promise<Socket | null>;

  constructor(
    runtime: RuntimeName,
    path: string,
    command: Omit<DetachedCommand, 'args'> & { readonly args: readonly string[] },
  ) {
    this.runtime = runtime;
    this.#process = spawnDetached({
      ...command,
      env: { ...command.env, HANDRAISE_SPARE_OF: String(process.pid) },
      args: [...command.args, '--spare', '--socket', path, '--runtime', runtime],
    });
    this.#socket = this.#connect(path);
  }

  /** Makes it the run of this frame; null when it is gone, and then nothing was started. */
  async launch(frame: LaunchFrame): Promise<ProcessIdentity | null> {
    const socket = await this.#socket;
    if (!socket) return null;
    socket.write(`${JSON.stringify(frame)}\n`);
    try {
      for await (const line of readLines(socket, { maxBytes: 2 ** 20 })) {
        if (line.kind === 'line' && line.text.includes('"launched"')) return this.#process;
      }
    } catch {
      // It broke off without the word.
    }
    // Half launched it would fight with the cold runner for the socket and the spool.
    signalProcess(this.#process, 'SIGKILL');
    return null;
  }

  /** Sends it home. */
  async dismiss(): Promise<void> {
    (await this.#socket)?.destroy();
  }

  async #connect(path: string): Promise<Socket | null> {
    while (findProcess(this.#process) !== null) {
      const socket = connect(path);
      const isConnected = await new Promise<boolean>((resolve) => {
        socket.once('connect', () => resolve(true));
        socket.once('error', () => resolve(false));
      });
      if (isConnected) {
        socket.on('error', () => socket.destroy());
        return socket;
      }
      await delay(lookAgainMs);
    }
    return null;
  }
}
