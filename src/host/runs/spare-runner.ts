import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { type DetachedCommand, spawnDetached } from '../../process/children/detached-child.js';
import { readLines } from '../../process/children/read-lines.js';
import { findProcess } from '../../process/families/process-table.js';
import { signalProcess } from '../../process/families/signal-process.js';
import { linkProof } from '../../process/link-proof.js';
import { type LaunchFrame, SpareFrame } from '../../protocol/detached.js';
import type { RuntimeName } from '../../protocol/posture.js';
import type { ProcessIdentity } from '../../protocol/run.js';

const lookAgainMs = 50;
// One that is still getting ready is nearer to it than a new one, unless something is wrong with it.
const readyWithinMs = 3000;

/** What a spare runner says: who it is, and that it is the run now. */
const SpareWord = z.discriminatedUnion('type', [SpareFrame, z.object({ type: z.literal('launched') })]);

/** A runner that waits warm for the next run, so that new work starts without a cold Node. It dies with its worker. */
export class SpareRunner {
  readonly #process: ProcessIdentity;
  readonly #secret: string;
  readonly #socket: Promise<Socket | null>;

  constructor(
    command: Omit<DetachedCommand, 'args'> & { readonly args: readonly string[] },
    spare: {
      readonly runtime: RuntimeName;
      readonly path: string;
      readonly secret: string;
      /** What it keeps an agent ready for; empty where it keeps none. */
      readonly parking: readonly string[];
    },
  ) {
    const { runtime, path, secret, parking } = spare;
    const secretFile = `${path}.secret`;
    writeFileSync(secretFile, secret, { mode: 0o600 });
    this.#secret = secret;
    this.#process = spawnDetached({
      ...command,
      env: { ...command.env, HANDRAISE_SPARE_OF: String(process.pid) },
      args: [
        ...command.args,
        '--spare',
        '--socket',
        path,
        '--secret-file',
        secretFile,
        '--runtime',
        runtime,
        ...parking,
      ],
    });
    // Without it, runs start cold.
    this.#socket = this.#connect(path).catch(() => null);
  }

  /** Makes it the run of this frame; null when it is gone, and then nothing was started. */
  async launch(frame: Omit<LaunchFrame, 'type' | 'proof'>): Promise<ProcessIdentity | null> {
    const socket = await Promise.race([this.#socket, delay(readyWithinMs, null, { ref: false })]);
    if (!socket) {
      signalProcess(this.#process, 'SIGKILL');
      return null;
    }
    try {
      for await (const line of readLines(socket, { maxBytes: 2 ** 20 })) {
        const word = line.kind === 'line' ? SpareWord.safeParse(parse(line.text)).data : undefined;
        if (word?.type === 'launched') return this.#process;
        if (word?.type !== 'spare') continue;
        const claim = { by: 'worker', runId: frame.runId, epoch: 0, nonce: word.nonce } as const;
        const proof = linkProof(this.#secret, claim);
        socket.write(`${JSON.stringify({ type: 'launch', ...frame, proof } satisfies LaunchFrame)}\n`);
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
    signalProcess(this.#process, 'SIGTERM');
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
