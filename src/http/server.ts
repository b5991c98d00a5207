import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { Host } from '../host/host.js';
import type { UsualContainer } from '../protocol/container.js';
import { Failure } from '../protocol/failure.js';
import type { ProxyUsers } from '../protocol/proxy-users.js';
import { checkPlace } from './access.js';
import { AllowedHosts } from './allowed-hosts.js';
import { api } from './api.js';
import type { ApiEnv, ApiParts } from './api-env.js';
import { AuthFailures } from './auth-failures.js';
import { LoginCodes } from './login-codes.js';
import { mcp } from './mcp.js';
import { type OpenPort, urlHost } from './open-port.js';
import { openapiDocument } from './openapi.js';
import { pages } from './pages.js';
import { HttpFailure, onError, problemResponse } from './problem.js';
import { TrustedProxy } from './proxy-users.js';
import { Sessions } from './sessions.js';
import { type StreamLimits, Streams } from './streams.js';
import { Tokens } from './tokens.js';

export interface ServeOptions {
  readonly host: Host;
  /** The folder of the token files. */
  readonly home: string;
  /** Where it listens; closed together with what is served there. */
  readonly port: OpenPort;
  /** Names beside those of loopback under which clients reach this server, with or without a port. */
  readonly allowedHosts: readonly string[];
  /** For how long answers of the web console can be undone. */
  readonly undoSeconds: number;
  readonly container?: UsualContainer | undefined;
  /** Where the console is found from other machines. */
  readonly publicUrl?: string | undefined;
  /** A proxy that signs people in; nobody's word is taken without. */
  readonly proxyUsers?: ProxyUsers | undefined;
  readonly version: string;
  /** Also in the home, for those who may read it; whoever answers with it is this worker. */
  readonly proofSecret: string;
  readonly now: () => number;
  readonly randomBytes: (length: number) => Uint8Array;
  readonly log: (line: string) => void;
  /** Whether the process at the other end of this loopback connection belongs to an agent of ours. */
  readonly isAgent: ApiParts['isAgent'];
  readonly callers: ApiParts['callers'];
  /** Somebody asked the worker to end; whoever asked has been told. */
  readonly onShutdown: () => void;
  /** The folder of the static console. */
  readonly console: string;
  readonly limits?: Partial<StreamLimits>;
}

/** A worker's API and pages; closing it ends its streams and connections, and frees the port. */
export interface Served extends AsyncDisposable {
  /** A link that signs a browser in, once. */
  loginLink(): string;
}

const usualLimits: StreamLimits = {
  clients: 500,
  heartbeatMs: 15_000,
  queuedBytes: 1024 * 1024,
  queuedFrames: 10_000,
  farewellMs: 10_000,
};

// On every response, whoever made it. Agent text is hostile: a page of ours runs no script but its own files.
const securityHeaders = new Map([
  [
    'content-security-policy',
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  ],
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
]);

/** Serves the API and the pages of a worker until it is disposed of. */
export function serve(options: ServeOptions): Served {
  const { port: open, ...rest } = options;
  const { url, port, bind } = open;
  const limits = { ...usualLimits, ...options.limits };
  const tokens = new Tokens(options);
  const closing = new AbortController();
  const parts: ApiParts = {
    ...rest,
    url,
    document: lazy(() => openapiDocument(api, options.version)),
    allowedHosts: new AllowedHosts({ port, bound: urlHost(bind), configured: options.allowedHosts }),
    tokens,
    proxy: options.proxyUsers && new TrustedProxy(options.proxyUsers),
    sessions: new Sessions({ ...options, tokens }),
    loginCodes: new LoginCodes(options),
    authFailures: new AuthFailures(options.now),
    streams: new Streams(limits),
    closing: closing.signal,
  };
  open.answer(listener({ ...parts, now: options.now, randomBytes: options.randomBytes }, options.console));
  return {
    loginLink: () => `${url}/#login=${parts.loginCodes.issue(tokens.owner())}`,
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      parts.streams[Symbol.dispose]();
      await open[Symbol.asyncDispose]();
    },
  };
}

function listener(parts: Parameters<typeof mcp>[0], console: string): RequestListener {
  const app = new Hono<ApiEnv>();
  app.onError(onError);
  app.use(checkPlace);
  app.route('/api/v1', api);
  app.all('/api/*', () => {
    throw new Failure('not_found', 'This route does not exist. The API is under /api/v1.');
  });
  app.route(
    '/mcp',
    mcp(parts, (request, env) => app.fetch(request, env)),
  );
  app.route('/', pages(console));
  const respond = getRequestListener(
    (request, bindings) => app.fetch(request, { ...parts, ...bindings }),
    // What cannot even be read as a request, a Host that is no name for one, never reaches a route.
    {
      errorHandler: () =>
        problemResponse(new HttpFailure('invalid', 'This is not a valid HTTP request.', { status: 400 })),
    },
  );
  return (incoming, outgoing) => {
    outgoing.setHeaders(securityHeaders);
    void respond(incoming, outgoing);
  };
}

/** Made when it is first asked for: it takes a fifth of the start, and most workers are never asked. */
function lazy<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | null = null;
  return () => (made ??= { value: make() }).value;
}
