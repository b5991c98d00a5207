import { rmSync, statSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { LineSplitter } from '../process/children/line-splitter.js';
import { type NumberedLine, readJournal } from '../process/files/line-journal.js';
import { linkProof, newNonce } from '../process/link-proof.js';
import { AckFrame, AttachFrame, DeadlineFrame, type HelloFrame } from '../protocol/detached.js';
import { errorSentence } from '../protocol/error-sentence.js';
import type { AttachGate } from './attach-gate.js';
import { bindPrivately, checkSocketPath } from './private-socket.js';

const maxLineBytes = 64 * 2 ** 20;
/** What somebody may cost who has not proven to be the worker: a short line, a short while, and few at a time. */
const unprovenLimits = { lineBytes: 4096, ms: 10_000, connections: 16 };
const lookAfterSocketMs = 5000;
/** How often an attached worker hears that this process still works. */
const beatMs = 5000;

export interface WorkerSocketOptions {
  readonly path: string;
  readonly journalFolder: string;
  readonly hello: () => Omit<HelloFrame, 'nonce' | 'lastRunSeq'>;
  readonly gate: AttachGate;
  readonly secret: string;
  /** Which life of the worker started the run. */
  readonly epoch: number;
  readonly log: (line: string) => void;
  /** How long somebody may be connected who has not attached. */
  readonly unprovenMs?: number;
}

/** Who acts on what an attached worker sends. */
export interface WorkerHandlers {
  /** A line that is not a frame of the link: a command, or garbage. */
  line(line: { kind: 'parsed'; value: unknown } | { kind: 'bad'; message: string; line: string }): void;
  acknowledged(seq: number): void;
  /** The agent may go on until then. */
  renewed(until: number): void;
}

/** One connection; it gets events only after its attach, and from its own place in the journal. */
interface Link {
  readonly socket: Socket;
  /** What it was greeted with, and must prove itself about. */
  readonly greeting: string;
  readonly splitter: LineSplitter;
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
  readonly #options: WorkerSocketOptions;
  #handlers: WorkerHandlers | null = null;
  /** Who connected before there was anybody to serve them. */
  #early: Socket[] = [];
  /** Who has not attached, each with the end of its time; the oldest first. */
  readonly #unproven = new Map<Socket, NodeJS.Timeout>();
  #server: Server | null = null;
  #lookAfter: NodeJS.Timeout | null = null;
  #beat: NodeJS.Timeout | null = null;
  #inode = 0;
  #active: Link | null = null;
  #epoch: number;
  /** The last line that may be told: the journal may hold one more, which the disk does not have yet. */
  #lastSeq = 0;

  constructor(options: WorkerSocketOptions) {
    checkSocketPath(options.path);
    this.#options = options;
    this.#epoch = options.epoch;
  }

  get isAttached(): boolean {
    return this.#active !== null;
  }

  async listen(): Promise<void> {
    await this.#bind();
    // Cleaners of temporary folders unlink sockets; a runner that nobody can reach would be lost.
    this.#lookAfter = setInterval(() => void this.#rebind(), lookAfterSocketMs);
    this.#beat = setInterval(() => this.#sayAlive(), beatMs);
  }

  /** Greets whoever connects from now on, and who has connected already. */
  serve(handlers: WorkerHandlers): void {
    this.#handlers = handlers;
    for (const socket of this.#early.splice(0)) this.#welcome(socket, handlers);
  }

  published(seq: number, line: string): void {
    this.#lastSeq = seq;
    const link = this.#active;
    if (!link) return;
    if (link.sent !== seq - 1 || link.socket.writableNeedDrain) return;
    this.#writeTogether(link.socket, line);
    link.sent = seq;
  }

  /** Live lines go only to a worker that keeps up. */
  publishedLive(line: string): void {
    const link = this.#active;
    if (link?.live && link.sent === this.#lastSeq && !link.socket.writableNeedDrain)
      this.#writeTogether(link.socket, line);
  }

  /** Answers the attached worker alone, outside of the journal. */
  reply(frame: object): void {
    this.#active?.socket.write(`${JSON.stringify(frame)}\n`);
  }

  async close(): Promise<void> {
    for (const timer of [this.#lookAfter, this.#beat]) if (timer) clearInterval(timer);
    for (const socket of this.#unproven.keys()) socket.destroy();
    const active = this.#active?.socket;
    if (active) await new Promise<void>((resolve) => active.end(resolve));
    await new Promise<void>((resolve) => (this.#server ? this.#server.close(() => resolve()) : resolve()));
    rmSync(this.#options.path, { force: true });
  }

  /** What is said in one go is one write, and one commit for whoever reads it: the last text of a turn and its result. */
  #writeTogether(socket: Socket, line: string): void {
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    socket.write(`${line}\n`);
  }

  async #bind(): Promise<void> {
    const server = createServer((socket) => this.#accept(socket));
    this.#inode = await bindPrivately(server, this.#options.path);
    this.#server = server;
  }

  async #rebind(): Promise<void> {
    if (statSync(this.#options.path, { throwIfNoEntry: false })?.ino === this.#inode) return;
    // Closed first: closing unlinks the path, and would take the new socket with it. Connections live on.
    this.#server?.close();
    try {
      await this.#bind();
    } catch (error) {
      this.#options.log(`The socket is gone and cannot be bound again: ${errorSentence(error)}`);
    }
  }

  #sayAlive(): void {
    const socket = this.#active?.socket;
    if (socket && !socket.writableNeedDrain) socket.write('{"type":"beat"}\n');
  }

  #accept(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    this.#bound(socket);
    if (this.#handlers) this.#welcome(socket, this.#handlers);
    else this.#early.push(socket);
  }

  /** The oldest of too many goes, so that strangers who stay do not keep the worker out. */
  #bound(socket: Socket): void {
    const ms = this.#options.unprovenMs ?? unprovenLimits.ms;
    // What has come while this process was stopped, or had no turn, is read first.
    const end = () => setImmediate(() => this.#unproven.has(socket) && socket.destroy());
    this.#unproven.set(socket, setTimeout(end, ms));
    socket.on('close', () => this.#release(socket));
    const [oldest] = this.#unproven.keys();
    if (this.#unproven.size > unprovenLimits.connections) oldest?.destroy();
  }

  #release(socket: Socket): void {
    clearTimeout(this.#unproven.get(socket));
    this.#unproven.delete(socket);
    this.#early = this.#early.filter((early) => early !== socket);
  }

  #welcome(socket: Socket, handlers: WorkerHandlers): void {
    const greeting = newNonce();
    const splitter = new LineSplitter({ maxBytes: unprovenLimits.lineBytes });
    const link: Link = { socket, greeting, splitter, live: false, sent: 0, replay: null };
    const hello: HelloFrame = { ...this.#options.hello(), lastRunSeq: this.#lastSeq, nonce: greeting };
    socket.write(`${JSON.stringify(hello)}\n`);
    socket.on('data', (chunk: Buffer) => {
      for (const line of splitter.push(chunk)) {
        if (line.kind === 'line') this.#take(link, line.text, handlers);
        else if (this.#active === link)
          handlers.line({
            kind: 'bad',
            message: `The line is longer than ${maxLineBytes} bytes.`,
            line: line.head,
          });
        else this.#refuseStranger(link);
      }
    });
    socket.on('drain', () => this.#catchUp(link));
    socket.on('close', () => {
      if (this.#active === link) this.#active = null;
    });
  }

  #take(link: Link, text: string, handlers: WorkerHandlers): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      if (this.#active !== link) return this.#refuseStranger(link);
      const message = errorSentence(error);
      handlers.line({ kind: 'bad', message, line: text });
      return;
    }
    const attach = AttachFrame.safeParse(value);
    if (attach.success) {
      this.#attach(link, attach.data);
      return;
    }
    // Whoever is not attached, or not any more, has no say.
    if (this.#active !== link) return this.#refuseStranger(link);
    const ack = AckFrame.safeParse(value);
    if (ack.success) return handlers.acknowledged(ack.data.runSeq);
    const renewal = DeadlineFrame.safeParse(value);
    if (renewal.success) handlers.renewed(renewal.data.until);
    else handlers.line({ kind: 'parsed', value });
  }

  #refuseStranger({ socket }: Link): void {
    socket.end(`${JSON.stringify({ type: 'not_attached', epoch: this.#epoch })}\n`);
  }

  #attach(link: Link, frame: AttachFrame): void {
    const { secret, hello, log } = this.#options;
    const { epoch, afterRunSeq, live, nonce } = frame;
    const problem = this.#problemWith(link, frame);
    if (problem !== null) {
      log(`Somebody was not let in: ${problem}`);
      link.socket.end(`${JSON.stringify({ type: 'refused', error: problem })}\n`);
      return;
    }
    if (epoch < this.#epoch) {
      link.socket.end(`${JSON.stringify({ type: 'evicted', epoch: this.#epoch })}\n`);
      return;
    }
    const previous = this.#active;
    this.#epoch = epoch;
    this.#release(link.socket);
    link.splitter.allow(maxLineBytes);
    this.#active = Object.assign(link, { live: live ?? false, sent: afterRunSeq, replay: null });
    if (previous && previous !== link) previous.socket.end(`${JSON.stringify({ type: 'evicted', epoch })}\n`);
    const proof = linkProof(secret, { by: 'runner', runId: hello().runId, epoch, nonce });
    link.socket.write(`${JSON.stringify({ type: 'attached', proof })}\n`);
    this.#catchUp(link);
  }

  /** Where the processes cannot be looked at, for example with no file left to open, nobody is let in. */
  #problemWith(link: Link, frame: AttachFrame): string | null {
    try {
      return this.#options.gate.problemWith(frame, { greeting: link.greeting, epoch: this.#epoch });
    } catch (error) {
      return `Who attaches cannot be found out: ${errorSentence(error)}`;
    }
  }

  /** Goes on with the journal where it was left; the segment is read once, however slowly the worker reads. */
  #catchUp(link: Link): void {
    while (this.#active === link && link.sent < this.#lastSeq) {
      link.replay ??= readJournal(this.#options.journalFolder, link.sent);
      for (let line = link.replay.next(); !line.done; line = link.replay.next()) {
        if (line.value.seq > this.#lastSeq) break;
        link.sent = line.value.seq;
        if (!link.socket.write(`${line.value.text}\n`)) return;
      }
      link.replay = null;
    }
  }
}
