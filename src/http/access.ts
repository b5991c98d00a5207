import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { Failure } from '../protocol/failure.js';
import type { ApiEnv } from './api-env.js';
import { HttpFailure } from './problem.js';
import { sessionCookie } from './sessions.js';
import type { Identity } from './tokens.js';

// The header by which our own pages show that a write comes from them; no other site can send it unasked.
const writeHeader = 'x-handraise';

// Routes that need no token; everything else under the API does.
const openPaths = new Set(['/api/v1/healthz', '/api/v1/openapi.json', '/api/v1/login']);
const reads = new Set(['GET', 'HEAD']);

/** Where a request may come from: checked on every route, pages and streams included, before anything else. */
export const checkPlace: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { incoming, allowedHosts } = c.env;
  const hosts = incoming.headersDistinct.host ?? [];
  // The absolute form would name a second host, in the request line.
  const isPath = incoming.url?.startsWith('/') === true;
  if (!isPath || hosts.length !== 1 || !allowedHosts.hasHost(hosts[0] ?? '')) {
    throw new Failure(
      'forbidden_origin',
      'This server is not known under the name that the request asked for.',
    );
  }
  const origin = incoming.headers.origin;
  if (origin !== undefined && !allowedHosts.hasOrigin(origin)) {
    throw new Failure('forbidden_origin', 'Pages of another origin may not use this server.');
  }
  if (!isOwnSite(c)) throw new Failure('forbidden_origin', 'Pages of another site may not use this server.');
  if (incoming.headers.upgrade !== undefined) {
    throw new Failure('forbidden', 'This server speaks plain HTTP only; events come as text/event-stream.');
  }
  await next();
};

/** Who asks, and whether they may ask at all: a token or a session, and no agent with somebody else's rights. */
export const authenticate: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (openPaths.has(c.req.path)) return next();
  const { identity, isStillGood } = credentialOf(c);
  if (identity.scope !== 'agent') await refuseAgents(c);
  c.set('identity', identity);
  c.set('isStillGood', isStillGood);
  return next();
};

/** A write has a JSON body or none: a form, which any site may post, has another type. */
export const checkBodyType: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const type = c.req.header('content-type');
  const isJson = type === undefined ? !hasBody(c.env.incoming) : /^application\/json\s*(;|$)/i.test(type);
  if (!reads.has(c.req.method) && !isJson) {
    throw new HttpFailure('invalid', 'The body must be application/json.', { status: 415 });
  }
  await next();
};

/** For what a person decides: a token of scope `agent` does not get there. */
export const personOnly: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (c.var.identity.scope === 'agent') {
    throw new Failure('forbidden', 'A token of scope agent may not do this; a person has to.');
  }
  await next();
};

/** Refuses a connection whose other end is an agent of ours; asked once per connection. */
export async function refuseAgents(c: Context<ApiEnv>): Promise<void> {
  if (!(await isAgentSocket(c))) return;
  throw new Failure(
    'forbidden',
    'This call comes from an agent. Give it a token of its own: handraise token add NAME --agent',
  );
}

/** Notes a wrong token or code and says how it is refused. */
export function wrongCredential(c: Context<ApiEnv>, detail: string): Failure {
  const wait = c.env.authFailures.note(c.env.incoming.socket.remoteAddress ?? '');
  const challenge = { 'www-authenticate': 'Bearer realm="handraise"' };
  if (wait === null) return new HttpFailure('unauthorized', detail, { headers: challenge });
  return new HttpFailure('unauthorized', `There were too many wrong tokens. Wait ${wait} seconds.`, {
    status: 429,
    headers: { ...challenge, 'retry-after': String(wait) },
  });
}

function credentialOf(c: Context<ApiEnv>): { identity: Identity; isStillGood: () => boolean } {
  const { sessions, tokens } = c.env;
  const authorization = c.req.header('authorization');
  if (authorization !== undefined) {
    const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    const identity = bearer === undefined ? null : readTokens(c, () => tokens.identify(bearer));
    if (!identity) throw wrongCredential(c, 'This token is not valid.');
    return { identity, isStillGood: () => readTokens(c, () => tokens.holds(identity)) };
  }
  const secret = getCookie(c, sessionCookie);
  if (secret === undefined) {
    throw new HttpFailure(
      'unauthorized',
      'Send the token as "Authorization: Bearer …"; the file token in the home of the worker has it.',
      {
        headers: { 'www-authenticate': 'Bearer realm="handraise"' },
      },
    );
  }
  const identity = readTokens(c, () => sessions.identify(secret));
  if (!identity) throw wrongCredential(c, 'This browser is not signed in any more. Open a new login link.');
  if (!reads.has(c.req.method) && c.req.header(writeHeader) !== '1') {
    throw new Failure('forbidden_origin', 'A write with a cookie needs the header "X-Handraise: 1".');
  }
  return { identity, isStillGood: () => readTokens(c, () => sessions.identify(secret)) !== null };
}

/** A damaged token file is told to the log, not to whoever comes without a token. */
function readTokens<Found>(c: Context<ApiEnv>, read: () => Found): Found {
  try {
    return read();
  } catch (error) {
    c.env.log(error instanceof Error ? error.message : String(error));
    throw new Failure('unavailable', 'The worker cannot read its tokens; its log says why.', {
      cause: error,
    });
  }
}

function isOwnSite(c: Context<ApiEnv>): boolean {
  const site = c.req.header('sec-fetch-site');
  if (site === undefined || site === 'same-origin' || site === 'none') return true;
  // A link to the console in a chat or a mail: a page without secrets, and the cookie does not come along.
  const isVisit =
    c.req.header('sec-fetch-mode') === 'navigate' && c.req.header('sec-fetch-dest') === 'document';
  return isVisit && c.req.method === 'GET' && !c.req.path.startsWith('/api/');
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const askedSockets = new WeakMap<Socket, Promise<boolean>>();

async function isAgentSocket(c: Context<ApiEnv>): Promise<boolean> {
  const { socket } = c.env.incoming;
  const { remotePort, localPort, remoteAddress } = socket;
  // A socket without them is closed already; nobody hears the answer.
  if (remotePort === undefined || localPort === undefined || remoteAddress === undefined) return true;
  const asked =
    askedSockets.get(socket) ?? Promise.resolve(c.env.isAgent({ remotePort, localPort, remoteAddress }));
  askedSockets.set(socket, asked);
  try {
    return await asked;
  } catch (error) {
    askedSockets.delete(socket);
    c.env.log(`Cannot tell whether a caller is an agent: ${String(error)}`);
    throw new Failure('unavailable', 'The worker cannot tell who is calling; its log says why.', {
      cause: error,
    });
  }
}
