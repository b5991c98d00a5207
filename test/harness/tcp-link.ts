import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a port of this machine that can be cut: nothing passes then, in either direction, and nobody is told. */
export class TcpLink implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Ends that were closed while the link was cut, so that the other side has not heard of it. */
  readonly #unheard = new Set<Socket>();
  #isCut = false;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async to(port: number): Promise<TcpLink> {
    const server = createServer({ pauseOnConnect: true });
    const link = new TcpLink(server);
    server.on('connection', (near) => link.#join(near, connect({ host: '127.0.0.1', port })));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return link;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.pause();
  }

  heal(): void {
    this.#isCut = false;
    for (const socket of this.#unheard) socket.destroy();
    this.#unheard.clear();
    for (const socket of this.#sockets) socket.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #join(near: Socket, far: Socket): void {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from);
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => {});
      from.on('close', () => {
        this.#sockets.delete(from);
        if (this.#isCut) this.#unheard.add(to);
        else to.destroy();
      });
      if (this.#isCut) from.pause();
      else from.resume();
    }
  }
}
