import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that Linear would have seen. */
export interface SeenRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** A stand-in for Linear's GraphQL API on the loopback interface. */
export class LinearStub implements AsyncDisposable {
  readonly seen: SeenRequest[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(answer: (response: ServerResponse) => void): Promise<LinearStub> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        stub.seen.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) });
        answer(response);
      });
    });
    const stub = new LinearStub(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return stub;
  }

  /** A stub that gives the same JSON to everyone. */
  static async saying(status: number, body: unknown): Promise<LinearStub> {
    return await LinearStub.start((response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/graphql`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
