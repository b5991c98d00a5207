import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';
import { errorSentence } from '../protocol/error-sentence.js';
import { Failure } from '../protocol/failure.js';
import type { ProcessIdentity } from '../protocol/run.js';
import type { ApiEnv } from './api-env.js';
import { HttpFailure } from './problem.js';
import { sessionPrefix } from './sessions.js';
import type { Identity } from './token-grant.js';

// Routes that need no token; everything else under the API does.
export const openPaths = new Set([
  '/api/v1/healthz',
  '/api/v1/readyz',
  '/api/v1/openapi.json',
  '/api/v1/proof',
  '/api/v1/login',
]);
const reads = new Set(['GET', 'HEAD']);

/** Where a request may come from: checked on every route, pages and streams included, before anything else. */
export const checkPlace: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { incoming, allowedHosts } = c.env;
  const hosts = incoming.headersDistinct.host ?? [];
  // The absolute form would name a second host, in the request line.
  const isPath = incoming.url?.startsWith('/') === true;
  if (!isPath || hosts.length !== 1 || !allowedHosts.hasHost(hosts[0] ?? '')) {
    throw new Failure('forbidden_origin', 'This server does not answer to the host name of the request.');
  }
  const origin = incoming.headers.origin;
  if (origin !== undefined && !allowedHosts.hasOrigin(origin)) {
    throw new Failure('forbidden_origin', 'Pages from another origin may not use this server.');
  }
  if (!isOwnSite(c))
    throw new Failure('forbidden_origin', 'Pages from another site may not use this server.');
  if (incoming.headers.upgrade !== undefined) {
    throw new Failure(
      'forbidden',
      'This server does not support WebSocket. Read events as text/event-stream.',
    );
  }
  await next();
};

/** Who asks, and whether they may ask at all: a token or a session, and no agent with somebody else's rights. */
export const authenticate: MiddlewareHandler<ApiEnv> = async (c, next) => {
  if (openPaths.has(c.req.path)) return next();
  const { identity, isStillGood, session } = credentialOf(c);
  if (identity.scope !== 'agent') await refuseAgents(c);
  c.set('identity', identity);
  c.set('isStillGood', isStillGood);
  c.set('session', session);
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

/** Refuses a connection whose other end is an agent of ours; asked once per connection. */
export async function refuseAgents(c: Context<ApiEnv>): Promise<void> {
  if (!(await isAgentSocket(c))) return;
  throw new Failure(
    'forbidden',
    'This call comes from an agent. Give the agent its own token: handraise token add NAME --agent --workspace DIR',
  );
}

/** The processes that may have asked, with those that started them. */
export function callersOf(c: Context<ApiEnv>): readonly ProcessIdentity[] {
  const { remotePort, localPort, remoteAddress } = c.env.incoming.socket;
  if (remotePort === undefined || localPort === undefined || remoteAddress === undefined) return [];
  return c.env.callers({ remotePort, localPort, remoteAddress });
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

/** Who comes with the header; a cookie opens nothing, because it goes to every port of this machine. */
function credentialOf(c: Context<ApiEnv>): Credential {
  const { sessions, tokens } = c.env;
  const authorization = c.req.header('authorization');
  if (authorization === undefined) {
    const user = c.env.proxy?.userOf(c.env.incoming) ?? null;
    if (user !== null) return credentialOfUser(c, user);
    throw new HttpFailure(
      'unauthorized',
      'Send the token as "Authorization: Bearer …"; the file token in the home of the worker has it.',
      { headers: { 'www-authenticate': 'Bearer realm="handraise"' } },
    );
  }
  const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
  if (bearer?.startsWith(sessionPrefix)) {
    const identity = readTokens(c, () => sessions.identify(bearer));
    if (!identity) throw wrongCredential(c, signedOutSentence);
    const isStillGood = () => readTokens(c, () => sessions.identify(bearer)) !== null;
    return { identity, isStillGood, session: bearer };
  }
  const identity = bearer === undefined ? null : readTokens(c, () => tokens.identify(bearer));
  if (!identity) throw wrongCredential(c, 'This token is not valid.');
  return { identity, isStillGood: () => readTokens(c, () => tokens.holds(identity)), session: undefined };
}

/** Whoever a trusted proxy has signed in has what the owner gave to that name, and nothing without. */
function credentialOfUser(c: Context<ApiEnv>, user: string): Credential {
  const { tokens } = c.env;
  const identity = readTokens(c, () => tokens.identifyUser(user));
  if (!identity)
    throw new Failure(
      'forbidden',
      `${user} has no access to this worker. The owner gives it with: handraise token add NAME --user ${user} --scope read`,
    );
  return { identity, isStillGood: () => readTokens(c, () => tokens.holds(identity)), session: undefined };
}

interface Credential {
  readonly identity: Identity;
  readonly isStillGood: () => boolean;
  readonly session: string | undefined;
}

const signedOutSentence =
  'This browser is not signed in any more. Get a new login link with: handraise token link';

/** A damaged token file is told to the log, not to whoever comes without a token. */
function readTokens<Found>(c: Context<ApiEnv>, read: () => Found): Found {
  try {
    return read();
  } catch (error) {
    c.env.log(errorSentence(error));
    throw new Failure('unavailable', "The worker cannot read its tokens. The worker's log says why.", {
      cause: error,
    });
  }
}

function isOwnSite(c: Context<ApiEnv>): boolean {
  const site = c.req.header('sec-fetch-site');
  if (site === undefined || site === 'same-origin' || site === 'none') return true;
  // A link to the console in a chat or a mail: a page without secrets.
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
    c.env.log(`Cannot tell whether a caller is an agent: ${errorSentence(error)}`);
    throw new Failure('unavailable', "The worker cannot tell who is calling. The worker's log says why.", {
      cause: error,
    });
  }
}
