import { connect, type Socket } from 'node:net';
import { waitUntil } from '../harness/wait-until.js';

export interface Frame {
  readonly type: string;
  readonly runSeq?: number;
  readonly [field: string]: unknown;
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
    await waitUntil(async () => {
      if (!link || link.isClosed) link = new WorkerLink(path);
      return link.frames.length > 0;
    });
    if (!link) throw new Error('no link');
    return link;
  }

  static async attach(
    path: string,
    frame: { afterRunSeq: number; epoch: number; live?: boolean },
  ): Promise<WorkerLink> {
    const link = await WorkerLink.open(path);
    link.send({ type: 'attach', ...frame });
    return link;
  }

  send(frame: object): void {
    this.#socket.write(`${JSON.stringify(frame)}\n`);
  }

  async next(type: string, matches: (frame: Frame) => boolean = () => true): Promise<Frame> {
    let found: Frame | undefined;
    await waitUntil(async () => {
      found = this.frames.find((frame) => frame.type === type && matches(frame));
      return found !== undefined;
    });
    return found as Frame;
  }

  async closed(): Promise<void> {
    await waitUntil(async () => this.isClosed);
  }

  /** Goes without a word, as a worker that was killed. */
  vanish(): void {
    this.#socket.destroy();
  }
}
