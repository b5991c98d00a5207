// One test per hole that other local agent servers had; see docs/http-api.md, "Who may call".
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Tokens } from '../../src/http/tokens.js';
import { rawRequest, statusOf } from './raw-request.js';
import { openTestServer, problemOf, refusal, request, type TestServer } from './test-server.js';

const work = { text: 'Do it', workspace: { path: '/work' } };
const close = 'Connection: close';

function tokensOf(server: TestServer): Tokens {
  return new Tokens({
    home: server.home,
    now: Date.now,
    randomBytes: (n) => crypto.getRandomValues(new Uint8Array(n)),
  });
}

/** A browser that has signed in: its cookie. */
async function signIn(server: TestServer): Promise<string> {
  const code = new URL(server.loginLink()).hash.replace('#login=', '');
  const headers = { 'content-type': 'application/json', origin: server.url };
  const body = JSON.stringify({ code });
  const reply = await request(`${server.url}/api/v1/login`, { method: 'POST', headers, body });
  return reply.headers.get('set-cookie')?.split(';')[0] ?? '';
}

it('unauthenticated loopback: every route of the API but three wants a token', async () => {
  await using server = await openTestServer();
  const document = await request(`${server.url}/api/v1/openapi.json`);
  const { paths } = document.body as { paths: Record<string, Record<string, object>> };
  const open: string[] = [];
  for (const [path, methods] of Object.entries(paths)) {
    for (const method of Object.keys(methods)) {
      const url = `${server.url}/api/v1${path.replace('{id}', 'x')}`;
      const { status } = await request(url, { method: method.toUpperCase() });
      if (status !== 401) open.push(`${method} ${path}: ${status}`);
    }
  }
  expect(open).toEqual(['post /login: 422', 'get /healthz: 200', 'get /openapi.json: 200']);
});

it('a route that does not exist tells nothing without a token either', async () => {
  await using server = await openTestServer();
  expect(problemOf(await request(`${server.url}/api/v1/nothing`))).toEqual(refusal(401, 'unauthorized'));
});

it('permissive CORS: no answer has a header that lets another origin read it', async () => {
  await using server = await openTestServer();
  const preflight = await server.call('OPTIONS', '/dispatches', {
    headers: { origin: 'http://evil.example', 'access-control-request-method': 'POST' },
  });
  const own = await server.call('OPTIONS', '/dispatches', { headers: { origin: server.url } });
  const read = await server.call('GET', '/threads', { headers: { origin: server.url } });
  expect([preflight.status, own.status, read.status]).toEqual([403, 405, 200]);
  for (const { headers } of [preflight, own, read]) {
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

it.each([
  ['DNS rebinding: a foreign name', 'evil.example:PORT', 403],
  ['a prefix of an allowed name', '127.0.0.1:PORT.evil.example', 400],
  ['an allowed name as a prefix', '127.0.0.1.evil.example:PORT', 403],
  ['credentials in the name', '127.0.0.1:PORT@evil.example', 400],
  ['the right name on another port', '127.0.0.1:1', 403],
  ['no port', '127.0.0.1', 403],
  ['loopback', '127.0.0.1:PORT', 200],
  ['localhost, in any case', 'LocalHost:PORT', 200],
  ['IPv6 loopback', '[::1]:PORT', 200],
])('Host: %s', async (_, host, status) => {
  await using server = await openTestServer();
  const given = host.replace('PORT', String(server.port));
  for (const path of ['/api/v1/healthz', '/']) {
    expect(statusOf(await rawRequest(server.port, [`GET ${path} HTTP/1.1`, `Host: ${given}`, close]))).toBe(
      status,
    );
  }
});

it.each([
  ['two Host headers', ['GET /api/v1/healthz HTTP/1.1', 'Host: 127.0.0.1:PORT', 'Host: evil.example']],
  [
    'a second host in the request line',
    ['GET http://evil.example/api/v1/healthz HTTP/1.1', 'Host: 127.0.0.1:PORT'],
  ],
  ['a Host that is not a name', ['GET /api/v1/healthz HTTP/1.1', 'Host: 127.0.0.1:PORT/../x']],
  ['no Host at all', ['GET /api/v1/healthz HTTP/1.1']],
])('%s is refused', async (_, lines) => {
  await using server = await openTestServer();
  const sent = lines.map((line) => line.replace('PORT', String(server.port)));
  expect([400, 403]).toContain(statusOf(await rawRequest(server.port, [...sent, close])));
});

it('a configured name is allowed exactly, with this port and as it stands', async () => {
  await using server = await openTestServer({ allowedHosts: ['box.example'] });
  const status = async (host: string) =>
    statusOf(await rawRequest(server.port, ['GET /api/v1/healthz HTTP/1.1', `Host: ${host}`, close]));
  expect([
    await status('box.example'),
    await status(`box.example:${server.port}`),
    await status('box.example:1'),
    await status('sub.box.example'),
    await status('box.example.evil.example'),
  ]).toEqual([200, 200, 403, 403, 403]);
});

it.each([['*.example'], ['http://box.example'], ['box.example/path'], ['']])(
  'refuses to start with the host name "%s"',
  async (name) => {
    await expect(openTestServer({ allowedHosts: [name] })).rejects.toMatchObject({ code: 'usage' });
  },
);

it('refuses to listen for other machines unless it is said under which name', async () => {
  await expect(openTestServer({ bind: '0.0.0.0' })).rejects.toMatchObject({ code: 'usage' });
});

it.each([
  ['another site', 'http://evil.example'],
  ['null origin: a sandboxed frame or a file', 'null'],
  ['another port of this machine', 'http://127.0.0.1:1'],
  ['another scheme', 'https://127.0.0.1:PORT'],
  ['an origin that begins like ours', 'http://127.0.0.1:PORT.evil.example'],
  ['an empty one', ''],
])(
  'Origin: %s is refused even with the right token, for reads, writes, streams and pages',
  async (_, origin) => {
    await using server = await openTestServer();
    const { id } = server.host.addThread();
    const headers = { origin: origin.replace('PORT', String(server.port)) };
    const replies = [
      await server.call('GET', '/threads', { headers }),
      await server.call('POST', '/dispatches', { headers, body: work }),
      await server.call('GET', `/threads/${id}/events`, {
        headers: { ...headers, accept: 'text/event-stream' },
      }),
      await request(server.url, { headers }),
    ];
    expect(replies.map(problemOf)).toEqual(replies.map(() => refusal(403, 'forbidden_origin')));
    expect(server.host.asked).toEqual([]);
  },
);

it.each([['cross-site'], ['same-site']])('Sec-Fetch-Site: %s is refused', async (site) => {
  await using server = await openTestServer();
  const headers = { 'sec-fetch-site': site };
  const replies = [await server.call('GET', '/threads', { headers }), await request(server.url, { headers })];
  expect(replies.map(problemOf)).toEqual(replies.map(() => refusal(403, 'forbidden_origin')));
});

it('a link to the console in a chat opens the page, and nothing of the API', async () => {
  await using server = await openTestServer();
  const headers = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  };
  const visit = (path: string) =>
    rawRequest(server.port, [
      `GET ${path} HTTP/1.1`,
      `Host: 127.0.0.1:${server.port}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      close,
    ]);
  expect([statusOf(await visit('/')), statusOf(await visit('/api/v1/healthz'))]).toEqual([200, 403]);
});

it('CSRF: a form that another site posts with the cookie does nothing', async () => {
  await using server = await openTestServer();
  const cookie = await signIn(server);
  const post = (headers: Record<string, string>) =>
    request(`${server.url}/api/v1/dispatches`, {
      method: 'POST',
      headers: { cookie, ...headers },
      body: JSON.stringify(work),
    });
  const json = { 'content-type': 'application/json' };
  expect([
    problemOf(await post({ 'content-type': 'text/plain' })),
    problemOf(await post({ 'content-type': 'application/x-www-form-urlencoded' })),
    problemOf(await post(json)),
    problemOf(await post({ 'content-type': 'text/plain', 'x-handraise': '1' })),
  ]).toEqual([
    refusal(403, 'forbidden_origin'),
    refusal(403, 'forbidden_origin'),
    refusal(403, 'forbidden_origin'),
    refusal(415, 'invalid'),
  ]);
  expect(server.host.asked).toEqual([]);
  expect((await post({ ...json, 'x-handraise': '1', origin: server.url })).status).toBe(201);
});

it.each([
  ['text/plain'],
  ['application/x-www-form-urlencoded'],
  ['application/jsonp'],
  ['multipart/form-data; boundary=x'],
])('a body of type %s is refused even with the token', async (type) => {
  await using server = await openTestServer();
  const reply = await server.call('POST', '/dispatches', { body: work, headers: { 'content-type': type } });
  expect(problemOf(reply)).toEqual(refusal(415, 'invalid'));
});

it('GET side effects: no reading verb reaches a deed', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  const dispatch = server.host.addDispatch(id);
  const prompt = server.host.addPrompt(id);
  const deeds = [
    `/dispatches/${dispatch.id}/cancel`,
    `/threads/${id}/stop`,
    `/prompts/${prompt.id}/answer`,
    '/shutdown',
    '/login-links',
  ];
  for (const method of ['GET', 'HEAD']) {
    const replies = await Promise.all(deeds.map((path) => server.call(method, path)));
    expect(replies.map(({ status }) => status)).toEqual(deeds.map(() => 405));
  }
  expect(server.host.asked).toEqual([]);
});

it('a method override in a header or in the query is not heard', async () => {
  await using server = await openTestServer();
  const headers = { 'x-http-method-override': 'POST' };
  expect((await server.call('GET', '/shutdown?_method=POST', { headers })).status).toBe(405);
});

it('SSE without auth: streams want a token like everything else', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  for (const path of [`/threads/${id}/events`, '/status']) {
    const reply = await request(`${server.url}/api/v1${path}`, { headers: { accept: 'text/event-stream' } });
    expect(problemOf(reply)).toEqual(refusal(401, 'unauthorized'));
  }
});

it('WebSocket: an upgrade is refused, with a token and without', async () => {
  await using server = await openTestServer();
  const upgrade = (path: string, authorization: string[]) =>
    rawRequest(server.port, [
      `GET ${path} HTTP/1.1`,
      `Host: 127.0.0.1:${server.port}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      ...authorization,
      close,
    ]);
  const replies = [
    await upgrade('/', []),
    await upgrade('/api/v1/status', [`Authorization: Bearer ${server.token()}`]),
  ];
  expect(replies.map(statusOf)).toEqual([403, 403]);
});

it('a token in the query is not a token', async () => {
  await using server = await openTestServer();
  const token = server.token();
  for (const name of ['token', 'access_token', 'authorization']) {
    const reply = await request(`${server.url}/api/v1/threads?${name}=${token}`);
    expect(problemOf(reply)).toEqual(refusal(401, 'unauthorized'));
  }
});

it.each([
  ['no scheme', (token: string) => token],
  ['Basic', (token: string) => `Basic ${btoa(`owner:${token}`)}`],
  ['half of it', (token: string) => `Bearer ${token.slice(0, -1)}`],
  ['more than it', (token: string) => `Bearer ${token}x`],
  ['two of them', (token: string) => `Bearer ${token}, Bearer ${token}`],
  ['an empty one', () => 'Bearer '],
])('Authorization: %s is refused', async (_, header) => {
  await using server = await openTestServer();
  const reply = await server.call('GET', '/threads', { headers: { authorization: header(server.token()) } });
  expect(problemOf(reply)).toEqual(refusal(401, 'unauthorized'));
});

it('a rotated or removed token is refused at once, and so is the browser that signed in with it', async () => {
  await using server = await openTestServer();
  const tokens = tokensOf(server);
  const old = { authorization: `Bearer ${server.token()}` };
  const phone = { authorization: `Bearer ${tokens.add('phone', 'full')}` };
  const cookie = await signIn(server);
  const browser = { cookie };
  const get = async (headers: Record<string, string>) =>
    (await request(`${server.url}/api/v1/threads`, { headers })).status;

  expect([await get(old), await get(phone), await get(browser)]).toEqual([200, 200, 200]);
  tokens.rotate();
  expect([await get(old), await get(phone), await get(browser)]).toEqual([401, 200, 401]);
  tokens.remove('phone');
  expect(await get(phone)).toBe(401);
  expect((await server.call('GET', '/threads')).status).toBe(200);
});

it('client-declared scopes: what a client claims to be does not matter', async () => {
  await using server = await openTestServer();
  const authorization = `Bearer ${tokensOf(server).add('helper', 'agent')}`;
  const prompt = server.host.addPrompt(server.host.addThread().id);
  const reply = await server.call('POST', `/prompts/${prompt.id}/answer`, {
    body: { text: 'yes' },
    headers: { authorization, 'x-scope': 'full', 'x-actor': 'user:owner' },
  });
  expect(problemOf(reply)).toEqual(refusal(403, 'forbidden'));
  const claimed = await server.call('POST', '/dispatches', { body: { ...work, actor: 'user:owner' } });
  expect(problemOf(claimed)).toEqual(refusal(422, 'invalid'));
});

it('a token of scope agent gives work and never decides for a person', async () => {
  await using server = await openTestServer({ isAgent: () => true });
  const headers = { authorization: `Bearer ${tokensOf(server).add('helper', 'agent')}` };
  const { id } = server.host.addThread();
  const prompt = server.host.addPrompt(id);
  const message = { content: [{ type: 'text', text: 'yes' }] };
  const post = (path: string, body?: unknown) => server.call('POST', path, { headers, body });
  const refused = [
    await post(`/prompts/${prompt.id}/answer`, { text: 'yes' }),
    await post(`/prompts/${prompt.id}/answer-like`, { text: 'yes' }),
    await post(`/prompts/${prompt.id}/cancel`),
    await post(`/threads/${id}/items`, {
      ...message,
      metadata: { prompt: { prompt_id: prompt.id, answers: [{ question: 'Where to?', answer: ['Rome'] }] } },
    }),
    await post(`/threads/${id}/permission-mode`, { permissionMode: 'bypassPermissions' }),
    await post('/dispatches', { ...work, permissions: 'autonomous' }),
    await post('/dispatches', { ...work, posture: { permissionMode: 'dontAsk' } }),
    await post('/threads', { workspace: work.workspace, posture: { permissionMode: 'bypassPermissions' } }),
    await post('/project-code/approve', { path: '/p', digest: 'd' }),
    await post('/login-links'),
    await post('/shutdown'),
  ];
  expect(refused.map(problemOf)).toEqual(refused.map(() => refusal(403, 'forbidden')));
  expect(server.host.asked).toEqual([]);

  const posted = await post(`/threads/${id}/items`, message);
  const submitted = await post('/dispatches', work);
  expect([posted.status, submitted.status]).toEqual([201, 201]);
  // A message of an agent waits in the queue, so that it cannot answer what is being asked.
  expect(server.host.asked).toEqual([
    ['post', id, { ...message, metadata: { queue: true } }, 'user:helper'],
    ['submit', work, { actor: 'user:helper' }],
  ]);
});

it("an agent that read the owner's token is still an agent; it is asked about once per connection", async () => {
  const asked: { remotePort: number; localPort: number }[] = [];
  await using server = await openTestServer({
    isAgent: async (connection) => {
      asked.push(connection);
      return true;
    },
  });
  const lines = (connection: string) => [
    'GET /api/v1/threads HTTP/1.1',
    `Host: 127.0.0.1:${server.port}`,
    `Authorization: Bearer ${server.token()}`,
    `Connection: ${connection}`,
  ];
  const twice = await rawRequest(server.port, [...lines('keep-alive'), '', ...lines('close')]);
  expect(twice.match(/HTTP\/1\.1 403/g)).toHaveLength(2);
  expect(asked).toEqual([{ remotePort: expect.any(Number), localPort: server.port }]);
  const code = new URL(server.loginLink()).hash.replace('#login=', '');
  expect(problemOf(await server.call('POST', '/login', { body: { code } }))).toEqual(
    refusal(403, 'forbidden'),
  );
});

it('fails closed when it cannot tell whether the caller is an agent', async () => {
  await using server = await openTestServer({ isAgent: () => Promise.reject(new Error('no /proc')) });
  expect(problemOf(await server.call('GET', '/threads'))).toEqual(refusal(503, 'unavailable'));
  expect(server.logged).toEqual([expect.stringContaining('no /proc')]);
});

it('wrong tokens are slowed down; the right one is not locked out', async () => {
  await using server = await openTestServer();
  const wrong = () => server.call('GET', '/threads', { headers: { authorization: 'Bearer wrong' } });
  for (let index = 0; index < 10; index += 1) expect((await wrong()).status).toBe(401);
  const limited = await wrong();
  expect(problemOf(limited)).toEqual(refusal(429, 'unauthorized'));
  expect(limited.headers.get('retry-after')).toBe('60');
  expect((await server.call('GET', '/threads')).status).toBe(200);
  server.clock.ms += 60_000;
  expect((await wrong()).status).toBe(401);
});

it('token files that others can read: nobody gets in, and the log says what to do', async () => {
  await using server = await openTestServer();
  chmodSync(join(server.home, 'token'), 0o644);
  expect(problemOf(await server.call('GET', '/threads'))).toEqual(refusal(503, 'unavailable'));
  expect(server.logged).toEqual([expect.stringContaining('chmod 600')]);
});

it('path traversal: no way out of the folder of the console', async () => {
  await using outer = await openTestServer();
  const folder = join(outer.home, 'console');
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.html'), 'the console');
  await using server = await openTestServer({ console: folder });
  const get = (path: string) =>
    rawRequest(server.port, [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${server.port}`, close]);
  for (const path of [
    '/../token',
    '/%2e%2e/token',
    '/..%2ftoken',
    '/..%5ctoken',
    '/%252e%252e%252ftoken',
    '/x/../../token',
    '/....//token',
    '//etc/passwd',
    '/%00token',
    '/index.html%00.js',
  ]) {
    const reply = await get(path);
    expect(reply).not.toContain(outer.token());
    expect(reply).not.toContain('root:');
    expect([200, 400, 404]).toContain(statusOf(reply));
  }
  expect(await get('/')).toContain('the console');
  expect(await get('/threads/thr_1')).toContain('the console');
  expect(statusOf(await get('/missing.js'))).toBe(404);
  rmSync(folder, { recursive: true });
});

it('header injection: what a client or an agent says stays where it belongs', async () => {
  await using server = await openTestServer();
  const split = await rawRequest(server.port, [
    'GET /api/v1/threads/x%0d%0aSet-Cookie:%20a=b HTTP/1.1',
    `Host: 127.0.0.1:${server.port}`,
    `Authorization: Bearer ${server.token()}`,
    close,
  ]);
  expect(statusOf(split)).toBe(404);
  expect(split.toLowerCase()).not.toContain('\nset-cookie');
  const key = await server.call('POST', '/dispatches', { body: work, headers: { 'idempotency-key': 'a b' } });
  expect(problemOf(key)).toEqual(refusal(422, 'invalid'));
});

it('request smuggling: two lengths, or a length and chunks, are refused', async () => {
  await using server = await openTestServer();
  const head = [
    'POST /api/v1/login HTTP/1.1',
    `Host: 127.0.0.1:${server.port}`,
    'Content-Type: application/json',
  ];
  const both = await rawRequest(
    server.port,
    [...head, 'Content-Length: 4', 'Transfer-Encoding: chunked', close],
    '0\r\n\r\n',
  );
  const two = await rawRequest(
    server.port,
    [...head, 'Content-Length: 2', 'Content-Length: 4', close],
    '{}{}',
  );
  expect([statusOf(both), statusOf(two)]).toEqual([400, 400]);
});

it('oversized body: refused by its length, and while it is sent in chunks', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  const large = 'x'.repeat(2 * 1024 * 1024);
  const tooLarge = await server.call('POST', `/threads/${id}/model`, { body: { model: large } });
  expect(problemOf(tooLarge)).toEqual(refusal(413, 'too_large'));
  const withAttachment = await server.call('POST', `/threads/${id}/items`, {
    body: {
      content: [{ type: 'text', text: 'See' }],
      attachments: [{ type: 'file', path: 'a', content: large }],
    },
  });
  expect(withAttachment.status).toBe(201);

  const chunk = `${large.length.toString(16)}\r\n${large}\r\n`;
  const chunked = await rawRequest(
    server.port,
    [
      `POST /api/v1/threads/${id}/model HTTP/1.1`,
      `Host: 127.0.0.1:${server.port}`,
      `Authorization: Bearer ${server.token()}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      close,
    ],
    `${chunk}0\r\n\r\n`,
  );
  expect(statusOf(chunked)).toBe(413);
});

it('a body in chunks that is not too large is read', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  const body = '{"model":"m"}';
  const reply = await rawRequest(
    server.port,
    [
      `POST /api/v1/threads/${id}/model HTTP/1.1`,
      `Host: 127.0.0.1:${server.port}`,
      `Authorization: Bearer ${server.token()}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      close,
    ],
    `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  );
  expect(statusOf(reply)).toBe(200);
});

it('slow body: a client that never finishes its request is cut off', async () => {
  await using server = await openTestServer({ limits: { requestMs: 200 } });
  const reply = await rawRequest(
    server.port,
    [
      'POST /api/v1/dispatches HTTP/1.1',
      `Host: 127.0.0.1:${server.port}`,
      `Authorization: Bearer ${server.token()}`,
      'Content-Type: application/json',
      'Content-Length: 100',
    ],
    '{"text":',
  );
  expect(reply === '' || statusOf(reply) === 408).toBe(true);
  expect(server.host.asked).toEqual([]);
});

it('slow headers: a client that never finishes them is cut off', async () => {
  await using server = await openTestServer({ limits: { requestMs: 200 } });
  const socket = connect(server.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: ');
  socket.resume();
  await new Promise((resolve) => socket.on('close', resolve));
});

it('every response has the headers that keep a hostile text harmless', async () => {
  await using server = await openTestServer();
  const replies = [
    await request(server.url),
    await request(`${server.url}/api/v1/threads`),
    await server.call('GET', '/threads'),
    await request(`${server.url}/missing`),
  ];
  for (const { headers } of replies) {
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'none'; script-src 'self'"),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  }
  expect(replies[2]?.headers.get('cache-control')).toBe('no-store');
});

it('one client never gets the answer of another: many at once, each its own', async () => {
  await using server = await openTestServer();
  const threads = Array.from({ length: 50 }, () => server.host.addThread());
  const replies = await Promise.all(threads.map(({ id }) => server.call('GET', `/threads/${id}`)));
  expect(replies.map(({ body }) => body)).toEqual(threads);
});
