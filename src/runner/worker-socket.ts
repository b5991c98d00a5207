import { rmSync, statSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { type NumberedLine, readJournal } from '../process/line-journal.js';
import { LineSplitter } from '../process/line-splitter.js';
import { AckFrame, AttachFrame, type HelloFrame } from '../protocol/detached.js';
import { bindPrivately, checkSocketPath } from './private-socket.js';

const maxLineBytes = 64 * 2 ** 20;
const lookAfterSocketMs = 5000;

export interface SocketOutside {
  readonly path: string;
  readonly journalFolder: string;
  readonly hello: () => HelloFrame;
  readonly lastSeq: () => number;
  /** A line that is not a frame of the link: a command, or garbage. */
  readonly line: (
    line: { kind: 'parsed'; value: unknown } | { kind: 'bad'; message: string; line: string },
  ) => void;
  readonly acknowledged: (seq: number) => void;
  readonly log: (line: string) => void;
}

/** One connection; it gets events only after its attach, and from its own place in the journal. */
interface Link {
  readonly socket: Socket;
  live: boolean;
  sent: number;
  /** What of the journal is still to be sent. */
  replay: Generator<NumberedLine> | null;
}

/**
 * Where workers attach to a detached runner. One is attached at a time: a higher epoch evicts a lower one, because
 * a worker that was thought dead must not go on driving the agent. A worker that leaves changes nothing.
 */
export class WorkerSocket {
  readonly #outside: SocketOutside;
  #server: Server | null = null;
  #lookAfter: NodeJS.Timeout | null = null;
  #inode = 0;
  #active: Link | null = null;
  #epoch = -1;

  constructor(outside: SocketOutside) {
    checkSocketPath(outside.path);
    this.#outside = outside;
  }

  get isAttached(): boolean {
    return this.#active !== null;
  }

  async listen(): Promise<void> {
    await this.#bind();
    // Cleaners of temporary folders unlink sockets; a runner that nobody can reach would be lost.
    this.#lookAfter = setInterval(() => void this.#rebind(), lookAfterSocketMs);
  }

  published(seq: number, line: string): void {
    const link = this.#active;
    if (!link) return;
    if (link.sent !== seq - 1 || link.socket.writableNeedDrain) return;
    link.socket.write(`${line}\n`);
    link.sent = seq;
  }

  /** Live lines go only to a worker that keeps up. */
  told(line: string): void {
    const link = this.#active;
    if (link?.live && link.sent === this.#outside.lastSeq() && !link.socket.writableNeedDrain)
      link.socket.write(`${line}\n`);
  }

  /** Answers the attached worker alone, outside of the journal. */
  reply(frame: object): void {
    this.#active?.socket.write(`${JSON.stringify(frame)}\n`);
  }

  async close(): Promise<void> {
    if (this.#lookAfter) clearInterval(this.#lookAfter);
    const active = this.#active?.socket;
    if (active) await new Promise<void>((resolve) => active.end(resolve));
    await new Promise<void>((resolve) => (this.#server ? this.#server.close(() => resolve()) : resolve()));
    rmSync(this.#outside.path, { force: true });
  }

  async #bind(): Promise<void> {
    const server = createServer((socket) => this.#welcome(socket));
    this.#inode = await bindPrivately(server, this.#outside.path);
    this.#server = server;
  }

  async #rebind(): Promise<void> {
    if (statSync(this.#outside.path, { throwIfNoEntry: false })?.ino === this.#inode) return;
    // Closed first: closing unlinks the path, and would take the new socket with it. Connections live on.
    this.#server?.close();
    try {
      await this.#bind();
    } catch (error) {
      this.#outside.log(`The socket is gone and cannot be bound again: ${String(error)}`);
    }
  }

  #welcome(socket: Socket): void {
    const link: Link = { socket, live: false, sent: 0, replay: null };
    const splitter = new LineSplitter({ maxBytes: maxLineBytes });
    socket.write(`${JSON.stringify(this.#outside.hello())}\n`);
    socket.on('data', (chunk: Buffer) => {
      for (const line of splitter.push(chunk)) {
        if (line.kind === 'line') this.#take(link, line.text);
        else
          this.#outside.line({
            kind: 'bad',
            message: `The line is longer than ${maxLineBytes} bytes.`,
            line: line.head,
          });
      }
    });
    socket.on('drain', () => this.#catchUp(link));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      if (this.#active === link) this.#active = null;
    });
  }

  #take(link: Link, text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      this.#outside.line({
        kind: 'bad',
        message: error instanceof Error ? error.message : 'not JSON',
        line: text,
      });
      return;
    }
    const attach = AttachFrame.safeParse(value);
    if (attach.success) {
      this.#attach(link, attach.data);
      return;
    }
    // Whoever is not attached, or not any more, has no say.
    if (this.#active !== link) {
      link.socket.end(`${JSON.stringify({ type: 'not_attached', epoch: this.#epoch })}\n`);
      return;
    }
    const ack = AckFrame.safeParse(value);
    if (ack.success) this.#outside.acknowledged(ack.data.runSeq);
    else this.#outside.line({ kind: 'parsed', value });
  }

  #attach(link: Link, { epoch, afterRunSeq, live }: AttachFrame): void {
    if (epoch < this.#epoch) {
      link.socket.end(`${JSON.stringify({ type: 'evicted', epoch: this.#epoch })}\n`);
      return;
    }
    const previous = this.#active;
    this.#epoch = epoch;
    this.#active = Object.assign(link, { live: live ?? false, sent: afterRunSeq, replay: null });
    if (previous && previous !== link) previous.socket.end(`${JSON.stringify({ type: 'evicted', epoch })}\n`);
    this.#catchUp(link);
  }

  /** Goes on with the journal where it was left; the segment is read once, however slowly the worker reads. */
  #catchUp(link: Link): void {
    while (this.#active === link && link.sent < this.#outside.lastSeq()) {
      link.replay ??= readJournal(this.#outside.journalFolder, link.sent);
      for (let line = link.replay.next(); !line.done; line = link.replay.next()) {
        link.sent = line.value.seq;
        if (!link.socket.write(`${line.value.text}\n`)) return;
      }
      link.replay = null;
    }
  }
}
