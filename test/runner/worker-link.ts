import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { linkProof, newNonce } from '../../src/process/link-proof.js';
import { holdFileOf } from '../../src/protocol/detached.js';
import { waitUntil } from '../harness/wait-until.js';

export interface Frame {
  readonly type: string;
  readonly runSeq?: number;
  readonly [field: string]: unknown;
}

/** What every runner of these tests must be told by whoever attaches. */
export const linkSecret = 'the secret of a run in a test, long enough';

/** The arguments of a runner that is reached at this socket. */
export function socketArguments(socket: string): string[] {
  mkdirSync(dirname(socket), { recursive: true, mode: 0o700 });
  const file = `${socket}.secret`;
  writeFileSync(file, linkSecret, { mode: 0o600 });
  return ['--socket', socket, '--secret-file', file];
}

interface Attach {
  readonly afterRunSeq: number;
  readonly epoch: number;
  readonly live?: boolean;
  readonly secret?: string;
  readonly pid?: number;
}

/** A worker's side of the socket of a detached runner. */
export class WorkerLink {
  readonly frames: Frame[] = [];
  readonly #socket: Socket;
  #rest = '';
  isClosed = false;

  private constructor(path: string) {
    this.#socket = connect(path);
    this.#socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (this.#rest + chunk).split('\n');
      this.#rest = lines.pop() ?? '';
      this.frames.push(...lines.map((line) => JSON.parse(line) as Frame));
    });
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      this.isClosed = true;
    });
  }

  /** Connects as soon as there is a socket, and reads the greeting. */
  static async open(path: string): Promise<WorkerLink> {
    let link: WorkerLink | undefined;
    await waitUntil('a runner greets at its socket', () => {
      if (!link || link.isClosed) link = new WorkerLink(path);
      return link.frames.length > 0;
    });
    if (!link) throw new Error('no link');
    return link;
  }

  static async attach(path: string, frame: Attach): Promise<WorkerLink> {
    const link = await WorkerLink.open(path);
    await link.attach(path, frame);
    return link;
  }

  /** Attaches as a worker does; ends when the runner has answered. */
  async attach(path: string, { secret = linkSecret, pid = process.pid, ...frame }: Attach): Promise<void> {
    const { nonce, runId } = this.frames[0] as unknown as { nonce: string; runId: string };
    const holdFile = holdFileOf(path, { nonce });
    const held = openSync(holdFile, 'wx');
    const proof = linkProof(secret, { by: 'worker', runId, epoch: frame.epoch, nonce });
    this.send({ type: 'attach', ...frame, pid, nonce: newNonce(), proof });
    await waitUntil('the runner answers', () => this.frames.length > 1);
    closeSync(held);
    rmSync(holdFile, { force: true });
  }

  /** Makes a spare into a run. */
  launch(frame: { readonly runId: string; readonly [field: string]: unknown }, secret = linkSecret): void {
    const { nonce } = this.frames[0] as unknown as { nonce: string };
    const proof = linkProof(secret, { by: 'worker', runId: frame.runId, epoch: 0, nonce });
    this.send({ type: 'launch', ...frame, proof });
  }

  send(frame: object): void {
    this.#socket.write(`${JSON.stringify(frame)}\n`);
  }

  async next(type: string, matches: (frame: Frame) => boolean = () => true): Promise<Frame> {
    let found: Frame | undefined;
    await waitUntil(`the runner sends ${type}`, () => {
      found = this.frames.find((frame) => frame.type === type && matches(frame));
      return found !== undefined;
    });
    return found as Frame;
  }

  async closed(): Promise<void> {
    await waitUntil('the runner hangs up', () => this.isClosed);
  }

  /** Goes without a word, as a worker that was killed. */
  vanish(): void {
    this.#socket.destroy();
  }
}
