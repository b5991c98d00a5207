import type { MiddlewareHandler } from 'hono';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { Failure } from '../protocol/failure.js';
import { authenticate, checkBodyType } from './access.js';
import { isLoopback } from './allowed-hosts.js';
import type { ApiEnv, ApiParts } from './api-env.js';
import type { ApiFetch, McpSessions } from './mcp-sessions.js';

const mostBytes = 1024 * 1024;

/** The worker as an MCP server, behind the same doors as its API. */
export function mcp(parts: ApiParts & McpWorld, fetch: ApiFetch): Hono<ApiEnv> {
  const routes = new Hono<ApiEnv>();
  let sessions: Promise<McpSessions> | undefined;
  routes.use(onlyLoopback, authenticate, checkBodyType);
  routes.use(
    bodyLimit({
      maxSize: mostBytes,
      onError: () => {
        throw new Failure('too_large', 'The body is larger than 1 MiB.');
      },
    }),
  );
  routes.all('/', async (c) => {
    // Loaded with the first client: most workers have none, and it takes as much memory as a runtime's adapter.
    sessions ??= import('./mcp-sessions.js').then(({ McpSessions }) => new McpSessions({ ...parts, fetch }));
    return await (await sessions).answer(c);
  });
  return routes;
}

/** What sessions take from outside. */
interface McpWorld {
  readonly now: () => number;
  readonly randomBytes: (length: number) => Uint8Array;
}

/** What other machines reach through a name that was allowed is the console and the API, and not this. */
const onlyLoopback: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { remoteAddress = '' } = c.env.incoming.socket;
  if (!isLoopback(remoteAddress.replace(/^::ffff:/, '')))
    throw new Failure('forbidden', 'MCP is served to programs on the same machine alone.');
  await next();
};
