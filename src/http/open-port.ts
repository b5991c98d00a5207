import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { errorSentence } from '../protocol/error-sentence.js';
import { Failure } from '../protocol/failure.js';
import { checkBind } from './allowed-hosts.js';

export interface PortOptions {
  /** 0 for any free one. */
  readonly port: number;
  readonly bind: string;
  /** Takes another port when this one is in use. */
  readonly anyPort?: boolean;
  /** Names beside those of loopback under which clients reach this server, with or without a port. */
  readonly allowedHosts: readonly string[];
  /** How long a client may take to send a request. */
  readonly requestMs?: number;
}

const usualRequestMs = 120_000;

// How long a client may take to read the end of what it was sent when the server closes.
const lastWordMs = 1000;

/** A port that is this process's own: its address is known before anything works behind it. Requests wait for `answer`. */
export class OpenPort implements AsyncDisposable {
  readonly port: number;
  readonly bind: string;
  readonly url: string;
  readonly #server: Server;
  readonly #waiting: Parameters<RequestListener>[] = [];
  #listener: RequestListener = (...exchange) => this.#waiting.push(exchange);

  static async open(options: PortOptions): Promise<OpenPort> {
    const { bind, allowedHosts, requestMs = usualRequestMs } = options;
    checkBind(bind, allowedHosts);
    const server = createServer({
      headersTimeout: Math.min(requestMs, 15_000),
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(requestMs, 5000),
    });
    return new OpenPort(server, { bind, port: await listen(server, options) });
  }

  private constructor(server: Server, { bind, port }: { readonly bind: string; readonly port: number }) {
    this.#server = server;
    this.bind = bind;
    this.port = port;
    this.url = `http://${urlHost(bind)}:${port}`;
    server.on('request', (request, response) => this.#listener(request, response));
  }

  /** Answers the requests that have come, and all that follow. */
  answer(listener: RequestListener): void {
    this.#listener = listener;
    for (const exchange of this.#waiting.splice(0)) listener(...exchange);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const server = this.#server;
    const closed = once(server, 'close');
    server.close();
    // A connection that falls idle only now is nobody's to close otherwise, until its keep-alive has passed.
    const idle = setInterval(() => server.closeIdleConnections(), 20);
    const rest = setTimeout(() => server.closeAllConnections(), lastWordMs);
    await closed;
    clearInterval(idle);
    clearTimeout(rest);
  }
}

/** The host part of a URL that leads to what listens there. */
export function urlHost(bind: string): string {
  if (bind === '0.0.0.0' || bind === '::') return '127.0.0.1';
  return bind.includes(':') ? `[${bind}]` : bind;
}

async function listen(
  server: Server,
  { port, bind, anyPort = false }: Pick<PortOptions, 'port' | 'bind' | 'anyPort'>,
): Promise<number> {
  server.listen(port, bind);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (anyPort && port !== 0 && codeOf(error) === 'EADDRINUSE')
      return await listen(server, { port: 0, bind });
    throw listenFailure(error, { port, bind });
  }
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function listenFailure(error: unknown, { port, bind }: { port: number; bind: string }): Failure {
  const code = codeOf(error);
  if (code === 'EADDRINUSE') {
    const detail = `Port ${port} on ${bind} is in use. Choose another with --port; 0 picks a free one.`;
    return new Failure('unavailable', detail, { cause: error });
  }
  if (code === 'EACCES') {
    const detail = `You are not allowed to listen on port ${port}. Choose a port above 1023 with --port.`;
    return new Failure('no_permission', detail, { cause: error });
  }
  return new Failure('config', `Cannot listen on ${bind}, port ${port}: ${errorSentence(error)}`, {
    cause: error,
  });
}
