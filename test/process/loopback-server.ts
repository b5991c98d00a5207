import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { LoopbackConnection } from '../../src/process/families/socket-owner.js';

/** A server on loopback that keeps what connects to it. */
export class LoopbackServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      socket.on('error', () => {});
      this.#sockets.add(socket);
    });
  }

  static async open(host = '127.0.0.1'): Promise<LoopbackServer> {
    const server = createServer({ allowHalfOpen: true }).listen(0, host);
    const opened = new LoopbackServer(server);
    await once(server, 'listening');
    return opened;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening');
    return address.port;
  }

  /** The connection from a port as this side sees it, once it is accepted. */
  async accepted(remotePort: number): Promise<Required<LoopbackConnection>> {
    for (;;) {
      for (const socket of this.#sockets) {
        if (socket.remotePort !== remotePort) continue;
        return { remotePort, localPort: this.port, remoteAddress: socket.remoteAddress ?? '' };
      }
      await once(this.#server, 'connection');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
