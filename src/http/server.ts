import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Host } from '../host/host.js';
import { Failure } from '../protocol/failure.js';
import { checkPlace } from './access.js';
import { AllowedHosts, checkBind } from './allowed-hosts.js';
import { api } from './api.js';
import type { ApiEnv, ApiOutside } from './api-env.js';
import { AuthFailures } from './auth-failures.js';
import { LoginCodes } from './login-codes.js';
import { openapiDocument } from './openapi.js';
import { pages } from './pages.js';
import { HttpFailure, onError, problemResponse } from './problem.js';
import { Sessions } from './sessions.js';
import { type StreamLimits, Streams } from './streams.js';
import { Tokens } from './tokens.js';

export interface ServeOptions {
  readonly host: Host;
  /** The folder of the token files. */
  readonly home: string;
  /** 0 for any free one. */
  readonly port: number;
  readonly bind: string;
  /** Names beside those of loopback under which clients reach this server, with or without a port. */
  readonly allowedHosts: readonly string[];
  readonly version: string;
  readonly now: () => number;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly log: (line: string) => void;
  /** Whether the process at the other end of this loopback connection belongs to an agent of ours. */
  readonly isAgent: ApiOutside['isAgent'];
  /** Somebody asked the worker to end; whoever asked has been told. */
  readonly onShutdown: () => void;
  /** The folder of the static console. */
  readonly console: string;
  readonly limits?: Partial<Limits>;
}

export interface Limits extends StreamLimits {
  /** How long a client may take to send a request. */
  readonly requestMs: number;
}

/** A listening server; closing it ends its streams and connections. */
export interface Served extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** A link that signs a browser in, once. */
  loginLink(): string;
}

const usualLimits: Limits = {
  clients: 500,
  heartbeatMs: 15_000,
  queuedBytes: 1024 * 1024,
  queuedFrames: 10_000,
  farewellMs: 10_000,
  requestMs: 120_000,
};

// How long a client may take to read the end of what it was sent when the server closes.
const lastWordMs = 1000;

// On every response, whoever made it. Agent text is hostile: a page of ours runs no script but its own files.
const securityHeaders = new Map([
  [
    'content-security-policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  ],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
]);

/** Serves the API and the pages of a worker until it is disposed of. */
export async function serve(options: ServeOptions): Promise<Served> {
  checkBind(options.bind, options.allowedHosts);
  const limits = { ...usualLimits, ...options.limits };
  const tokens = new Tokens(options);
  const server = createServer({
    headersTimeout: Math.min(limits.requestMs, 15_000),
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(limits.requestMs, 5000),
  });
  const port = await listen(server, options);
  const closing = new AbortController();
  const outside: ApiOutside = {
    ...options,
    url: `http://${nameOf(options.bind)}:${port}`,
    document: lazy(() => openapiDocument(api, options.version)),
    allowedHosts: new AllowedHosts({ port, bound: nameOf(options.bind), configured: options.allowedHosts }),
    tokens,
    sessions: new Sessions({ ...options, tokens }),
    loginCodes: new LoginCodes(options),
    authFailures: new AuthFailures(options.now),
    streams: new Streams(limits),
    closing: closing.signal,
  };
  server.on('request', listener(outside, options.console));
  return {
    url: outside.url,
    port,
    loginLink: () => `${outside.url}/#login=${outside.loginCodes.issue(tokens.owner())}`,
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      outside.streams[Symbol.dispose]();
      await close(server);
    },
  };
}

function listener(outside: ApiOutside, console: string) {
  const app = new Hono<ApiEnv>();
  app.onError(onError);
  app.use(checkPlace);
  app.route('/api/v1', api);
  app.all('/api/*', () => {
    throw new Failure('not_found', 'There is no such route; the API is under /api/v1.');
  });
  app.route('/', pages(console));
  const respond = getRequestListener(
    (request, bindings) => app.fetch(request, { ...outside, ...bindings }),
    // What cannot even be read as a request, a Host that is no name for one, never reaches a route.
    {
      errorHandler: () => problemResponse(new HttpFailure('invalid', 'This is no request.', { status: 400 })),
    },
  );
  return (incoming: IncomingMessage, outgoing: ServerResponse) => {
    outgoing.setHeaders(securityHeaders);
    void respond(incoming, outgoing);
  };
}

async function listen(server: Server, { port, bind }: ServeOptions): Promise<number> {
  server.listen(port, bind);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenFailure(error, { port, bind });
  }
  const address = server.address();
  return typeof address === 'object' && address ? address.port : port;
}

function listenFailure(error: unknown, { port, bind }: { port: number; bind: string }): Failure {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    const detail = `Port ${port} of ${bind} is taken. Choose another with --port; 0 takes any free one.`;
    return new Failure('unavailable', detail, { cause: error });
  }
  if (code === 'EACCES') {
    const detail = `You may not listen on port ${port}. Choose one above 1023 with --port.`;
    return new Failure('no_permission', detail, { cause: error });
  }
  return new Failure('config', `Cannot listen on ${bind}, port ${port}: ${String(error)}`, { cause: error });
}

/** The host part of a URL that leads to what listens there. */
function nameOf(bind: string): string {
  if (bind === '0.0.0.0' || bind === '::') return '127.0.0.1';
  return bind.includes(':') ? `[${bind}]` : bind;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // A connection that falls idle only now is nobody's to close otherwise, until its keep-alive has passed.
  const idle = setInterval(() => server.closeIdleConnections(), 20);
  const rest = setTimeout(() => server.closeAllConnections(), lastWordMs);
  await closed;
  clearInterval(idle);
  clearTimeout(rest);
}

/** Made when it is first asked for: it takes a fifth of the start, and most workers are never asked. */
function lazy<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | null = null;
  return () => (made ??= { value: make() }).value;
}
