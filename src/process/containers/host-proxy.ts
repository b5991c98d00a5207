import {
  createServer,
  type IncomingMessage,
  request as plainRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

const connectMs = 30_000;
const mostConnections = 512;

/** A place that somebody asked for. */
export interface ProxyTarget {
  readonly host: string;
  readonly port: number;
}

export interface HostProxyOptions {
  /** Reads where a request wants to go, and whether it may; null is a place that cannot be read. */
  readonly read: (
    target: string,
    missingPort: number,
  ) => (ProxyTarget & { readonly isAllowed: boolean }) | null;
  /** Where requests go that name no host. */
  readonly origin: string | undefined;
  readonly refused: (target: ProxyTarget) => void;
}

/**
 * The only way out of a container: a proxy on a Unix socket that connects to the hosts of a list. It looks up names itself,
 * so that an agent has no use for a name server either, and it does not look into what is encrypted.
 */
export class HostProxy implements Disposable {
  readonly #options: HostProxyOptions;
  readonly #server: Server;
  readonly #open = new Set<Duplex>();

  constructor(options: HostProxyOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => this.#forward(request, response));
    this.#server.maxConnections = mostConnections;
    // A model may think for as long as it likes.
    this.#server.requestTimeout = 0;
    this.#server.on('connect', (request: IncomingMessage, near: Duplex, head: Buffer) =>
      this.#tunnel(request.url ?? '', { near, head }),
    );
    this.#server.on('connection', (socket: Socket) => this.#keep(socket));
    this.#server.on('clientError', (_error, socket) => socket.destroy());
  }

  listen(path: string, failed: (error: Error) => void): void {
    this.#server.on('error', failed);
    this.#server.listen(path);
  }

  [Symbol.dispose](): void {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
  }

  #keep(socket: Duplex): void {
    this.#open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => this.#open.delete(socket));
  }

  #tunnel(url: string, { near, head }: { readonly near: Duplex; readonly head: Buffer }): void {
    const target = this.#allowed(url, 443);
    if (target === null) {
      near.end(
        `HTTP/1.1 403 Forbidden\r\ncontent-length: ${refusal.length}\r\nconnection: close\r\n\r\n${refusal}`,
      );
      return;
    }
    const far = connect({ host: target.host, port: target.port, timeout: connectMs });
    this.#keep(far);
    far.once('timeout', () => far.destroy());
    far.once('connect', () => {
      far.setTimeout(0);
      near.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.length > 0) far.write(head);
      near.pipe(far).pipe(near);
    });
    far.once('close', () => near.destroy());
    near.once('close', () => far.destroy());
  }

  #forward(request: IncomingMessage, response: ServerResponse): void {
    const to = this.#destination(request.url ?? '');
    if (to === null) {
      request.resume();
      response.writeHead(403, { 'content-type': 'text/plain' }).end(refusal);
      return;
    }
    if (to.protocol !== 'http:') {
      request.resume();
      response.writeHead(501, { 'content-type': 'text/plain' }).end('An encrypted address needs CONNECT.\n');
      return;
    }
    const {
      'proxy-connection': _connection,
      'proxy-authorization': _authorization,
      ...theirs
    } = request.headers;
    const headers = { ...theirs, host: to.host };
    const far = plainRequest(to, { method: request.method, headers });
    far.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.once('error', () => response.destroy());
    });
    far.once('error', () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { 'content-type': 'text/plain' }).end('The host does not answer.\n');
    });
    response.once('close', () => far.destroy());
    request.pipe(far);
  }

  #destination(url: string): URL | null {
    const { origin } = this.#options;
    if (url.startsWith('/')) return origin === undefined ? null : urlOf(url, origin);
    const wanted = urlOf(url);
    return wanted !== null && this.#allowed(wanted.host, 80) !== null ? wanted : null;
  }

  #allowed(text: string, missingPort: number): ProxyTarget | null {
    const target = this.#options.read(text, missingPort);
    if (target === null) return null;
    if (target.isAllowed) return target;
    this.#options.refused({ host: target.host, port: target.port });
    return null;
  }
}

const refusal = 'Handraise: this host is not among those that the container may reach.\n';

/** Of a request to the model only the path counts, whatever it looks like. */
function urlOf(text: string, origin?: string): URL | null {
  try {
    const url = origin === undefined ? new URL(text) : new URL(`${origin}${text}`);
    return origin !== undefined && url.origin !== origin ? null : url;
  } catch {
    return null;
  }
}
