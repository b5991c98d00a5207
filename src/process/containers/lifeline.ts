import { createServer, type Server, type Socket } from 'node:net';

/** What is asked from inside. */
type Asked = 'input' | 'exit';

const mostConnections = 16;

/** A connection that lasts as long as this process does; whoever is at its other end goes when it breaks. */
export class Lifeline implements Disposable {
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  /** `asked` says whether the answer is yes; an answer of no is silence. Whoever asks may be the agent itself. */
  constructor(asked: (what: Asked) => Promise<boolean>) {
    this.#server = createServer((socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
      socket.on('error', () => socket.destroy());
      socket.on('data', (chunk: Buffer) => {
        const what = chunk.toString('latin1').trim();
        if (what === 'input' || what === 'exit') void answer(socket, asked(what));
      });
    });
    this.#server.maxConnections = mostConnections;
  }

  listen(path: string, failed: (error: Error) => void): void {
    this.#server.on('error', failed);
    this.#server.listen(path);
  }

  [Symbol.dispose](): void {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
  }
}

async function answer(socket: Socket, isYes: Promise<boolean>): Promise<void> {
  if ((await isYes) && !socket.destroyed) socket.write('yes\n');
}
