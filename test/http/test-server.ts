import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OpenPort } from '../../src/http/open-port.js';
import { type ServeOptions, serve } from '../../src/http/server.js';
import { Tokens } from '../../src/http/tokens.js';
import { SignedIn } from '../../src/protocol/api.js';
import { MemoryHost } from './memory-host.js';

/** A response, read. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A real server on a free port of loopback, with a private home and a host in memory. */
export async function openTestServer(
  options: Partial<Omit<ServeOptions, 'port'>> & { readonly bind?: string; readonly requestMs?: number } = {},
) {
  const home = mkdtempSync(join(tmpdir(), 'handraise-http-'));
  const host = new MemoryHost();
  const logged: string[] = [];
  const clock = { ms: Date.parse('2026-01-02T03:04:05Z') };
  let shutdowns = 0;
  const { bind = '127.0.0.1', requestMs = 120_000, allowedHosts = [], ...more } = options;
  const open = await OpenPort.open({ port: 0, bind, requestMs, allowedHosts });
  const served = serve({
    host,
    home,
    port: open,
    allowedHosts,
    undoSeconds: 5,
    version: '1.2.3',
    proofSecret: 'p'.repeat(43),
    now: () => clock.ms,
    randomBytes,
    log: (line) => logged.push(line),
    console: fileURLToPath(new URL('../../dist/web/', import.meta.url)),
    isAgent: () => false,
    callers: () => [],
    onShutdown: () => {
      shutdowns += 1;
    },
    ...more,
  });
  const token = () => readFileSync(join(home, 'token'), 'utf8').trim();
  return {
    host,
    home,
    logged,
    clock,
    port: open.port,
    url: open.url,
    loginLink: () => served.loginLink(),
    shutdowns: () => shutdowns,
    token,
    /** The token files, as another process has them. */
    tokens: () => new Tokens({ home, now: () => clock.ms, randomBytes }),
    /** Signs a browser in; gives the secret that it keeps. */
    signIn: async () => secretOf(await redeem(open.url, served.loginLink())),
    /** A call with the owner's token, unless the headers say otherwise. */
    call: (method: string, path: string, more: { body?: unknown; headers?: Record<string, string> } = {}) =>
      request(`${open.url}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token()}`,
          ...(more.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...more.headers,
        },
        ...(more.body === undefined ? {} : { body: JSON.stringify(more.body) }),
      }),
    [Symbol.asyncDispose]: async () => {
      await served[Symbol.asyncDispose]();
      rmSync(home, { recursive: true });
    },
  };
}

export type TestServer = Awaited<ReturnType<typeof openTestServer>>;

/** Any request, with its response read to the end. */
export async function request(url: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = text !== '' && response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** Signs in with a link, as the page does. */
export function redeem(url: string, link: string): Promise<Reply> {
  return request(`${url}/api/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(url).origin },
    body: JSON.stringify({ code: new URL(link).hash.replace('#login=', '') }),
  });
}

/** What a browser keeps of a sign-in. */
export function secretOf({ body }: Reply): string {
  return SignedIn.parse(body).secret;
}

/** What a test compares of a problem. */
export function problemOf({ status, headers, body }: Reply) {
  const problem = body as { status: number; code: string };
  return {
    type: headers.get('content-type'),
    status: status === problem.status ? status : [status, problem.status],
    code: problem.code,
  };
}

/** The same for a refusal that is expected. */
export function refusal(status: number, code: string) {
  return { type: 'application/problem+json', status, code };
}
