import { type ClientHttp2Session, connect as overConnection } from 'node:http2';
import { createServer, type Server, type Socket } from 'node:net';

/**
 * The way to a server inside of a container: one connection, which the program inside makes before it starts the agent, and
 * over which all calls go. Nobody else gets one: what an agent's commands could connect to would be handed the server's
 * password with the next call.
 */
export class CallLine implements Disposable {
  readonly #server: Server;
  readonly #line: Promise<ClientHttp2Session>;
  #open: Socket | undefined;
  #session: ClientHttp2Session | undefined;

  constructor() {
    this.#server = createServer();
    this.#line = new Promise((resolve) => {
      this.#server.on('connection', (socket) => {
        socket.on('error', () => socket.destroy());
        // The first is ours, because nothing of the agent runs before it is there.
        if (this.#open) {
          socket.destroy();
          return;
        }
        this.#open = socket;
        this.#server.close();
        const session = overConnection('http://inside', { createConnection: () => socket });
        session.on('error', () => session.destroy());
        this.#session = session;
        resolve(session);
      });
    });
  }

  listen(path: string, failed: (error: Error) => void): void {
    this.#server.on('error', failed);
    this.#server.listen(path);
  }

  /** The connection, once it is there. */
  async line(): Promise<ClientHttp2Session> {
    return await this.#line;
  }

  [Symbol.dispose](): void {
    this.#server.close();
    this.#session?.destroy();
    this.#open?.destroy();
  }
}
