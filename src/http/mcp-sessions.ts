import { ServerResponse } from 'node:http';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Context } from 'hono';
import { Client } from '../client/client.js';
import { openMcpServer } from '../mcp/open-server.js';
import { Failure } from '../protocol/failure.js';
import type { ApiEnv } from './api-env.js';

/** A request of the API that stays in this process. */
export type ApiFetch = (request: Request, env: ApiEnv['Bindings']) => Response | Promise<Response>;

interface McpSession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Whose it is; with another token it does not exist. */
  readonly digest: string;
  usedAt: number;
}

const mostSessions = 100;

/**
 * The MCP clients that are connected over HTTP. Each has a server of its own: one for all would hand the answers of one to
 * another. Every call of a tool is a request of the API with the token and the connection that it came with, so that
 * nothing can be done here that could not be done there.
 */
export class McpSessions {
  readonly #sessions = new Map<string, McpSession>();
  readonly #fetch: ApiFetch;
  readonly #randomBytes: (length: number) => Uint8Array;
  readonly #now: () => number;

  constructor(options: {
    readonly fetch: ApiFetch;
    readonly randomBytes: (length: number) => Uint8Array;
    readonly now: () => number;
    readonly closing: AbortSignal;
  }) {
    this.#fetch = options.fetch;
    this.#randomBytes = options.randomBytes;
    this.#now = options.now;
    options.closing.addEventListener('abort', () => this.#close(this.#sessions.size), { once: true });
  }

  async answer(c: Context<ApiEnv>): Promise<Response> {
    const { digest } = c.var.identity;
    const id = c.req.header('mcp-session-id');
    const known = id === undefined ? undefined : this.#sessions.get(id);
    if (id !== undefined && known?.digest !== digest)
      throw new Failure('not_found', 'There is no such MCP session. Initialize a new one.');
    const transport = known ? known.transport : await this.#open(c);
    if (known) known.usedAt = this.#now();
    const token = tokenOf(c);
    return await transport.handleRequest(c.req.raw, {
      authInfo: { token, clientId: digest, scopes: [], extra: { env: c.env } },
    });
  }

  async #open(c: Context<ApiEnv>): Promise<WebStandardStreamableHTTPServerTransport> {
    const { digest } = c.var.identity;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => Buffer.from(this.#randomBytes(24)).toString('base64url'),
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { transport, digest, usedAt: this.#now() });
        this.#close(this.#sessions.size - mostSessions);
      },
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    const server = openMcpServer({
      clientOf: (extra) => this.#clientOf(extra),
      version: c.env.version,
      now: this.#now,
    });
    await server.connect(transport);
    return transport;
  }

  #clientOf({ authInfo }: RequestHandlerExtra<ServerRequest, ServerNotification>): Client {
    const env = authInfo?.extra?.['env'];
    if (!authInfo || !isEnv(env)) throw new Error('A request came without whoever sent it.');
    return new Client({
      url: env.url,
      token: authInfo.token,
      fetch: async (address, init) => {
        // Headers of the answer belong to this request, and not to the one that the tool was called with.
        const outgoing = new ServerResponse(env.incoming);
        return await this.#fetch(new Request(address, init), { ...env, outgoing });
      },
    });
  }

  /** Closes so many that were not used for the longest time. */
  #close(count: number): void {
    if (count <= 0) return;
    const oldest = [...this.#sessions].toSorted(([, one], [, other]) => one.usedAt - other.usedAt);
    for (const [id, { transport }] of oldest.slice(0, count)) {
      this.#sessions.delete(id);
      void transport.close();
    }
  }
}

function tokenOf(c: Context<ApiEnv>): string {
  return /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
}

function isEnv(env: unknown): env is ApiEnv['Bindings'] {
  return typeof env === 'object' && env !== null && 'incoming' in env && 'host' in env && 'url' in env;
}
