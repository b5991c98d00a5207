// Holes that other local agent servers had, one test each; see docs/http-api.md, "Who may call".
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rawRequest, statusOf } from './raw-request.js';
import { openTestServer, problemOf, refusal, request } from './test-server.js';

const work = { text: 'Do it', workspace: { path: '/work' } };
const close = 'Connection: close';

it('unauthenticated loopback: every route of the API but five wants a token', async () => {
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
  expect(open).toEqual([
    'post /login: 422',
    'get /healthz: 200',
    'get /readyz: 200',
    'get /proof: 422',
    'get /openapi.json: 200',
  ]);
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

it('CSRF: a form that another site posts does nothing, and nothing that a browser sends by itself counts', async () => {
  await using server = await openTestServer();
  const secret = await server.signIn();
  const post = (headers: Record<string, string>) =>
    request(`${server.url}/api/v1/dispatches`, { method: 'POST', headers, body: JSON.stringify(work) });
  const cookie = `handraise_session=${secret}`;
  const json = { 'content-type': 'application/json' };
  expect([
    problemOf(await post({ cookie, 'content-type': 'text/plain' })),
    problemOf(await post({ cookie, 'content-type': 'application/x-www-form-urlencoded' })),
    problemOf(await post({ cookie, ...json })),
    problemOf(await post({ cookie, ...json, 'x-handraise': '1', origin: server.url })),
  ]).toEqual(Array.from({ length: 4 }, () => refusal(401, 'unauthorized')));
  const authorization = `Bearer ${secret}`;
  expect(problemOf(await post({ authorization, 'content-type': 'text/plain' }))).toEqual(
    refusal(415, 'invalid'),
  );
  expect(server.host.asked).toEqual([]);
  expect((await post({ authorization, ...json, origin: server.url })).status).toBe(201);
});

it.each([
  ['GET', '/threads', {}],
  ['GET', '/overview', { accept: 'text/event-stream' }],
  ['GET', '/status', { accept: 'text/event-stream' }],
  ['POST', '/shutdown', {}],
  ['POST', '/logout', {}],
  ['POST', '/login-links', {}],
])('a cookie goes to every port of a machine, so it opens nothing: %s %s', async (method, path, headers) => {
  await using server = await openTestServer();
  const secret = await server.signIn();
  const names = ['handraise_session', 'authorization', 'token', 'handraise-sign-in'];
  for (const value of [secret, server.token()]) {
    const cookie = names.map((name) => `${name}=${value}`).join('; ');
    const reply = await request(`${server.url}/api/v1${path}`, {
      method,
      headers: { cookie, 'x-handraise': '1', ...headers },
    });
    expect(problemOf(reply)).toEqual(refusal(401, 'unauthorized'));
  }
  expect(server.shutdowns()).toBe(0);
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

it('a body of another type is refused where no body is expected, too', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  const headers = { 'content-type': 'text/plain' };
  const reply = await server.call('POST', `/threads/${id}/stop`, { body: {}, headers });
  expect(problemOf(reply)).toEqual(refusal(415, 'invalid'));
  expect(server.host.asked).toEqual([]);
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
  const tokens = server.tokens();
  const old = { authorization: `Bearer ${server.token()}` };
  const phone = { authorization: `Bearer ${tokens.add('phone', { scope: 'full' })}` };
  const browser = { authorization: `Bearer ${await server.signIn()}` };
  const get = async (headers: Record<string, string>) =>
    (await request(`${server.url}/api/v1/threads`, { headers })).status;

  expect([await get(old), await get(phone), await get(browser)]).toEqual([200, 200, 200]);
  tokens.rotate();
  expect([await get(old), await get(phone), await get(browser)]).toEqual([401, 200, 401]);
  tokens.remove('phone');
  expect(await get(phone)).toBe(401);
  expect((await server.call('GET', '/threads')).status).toBe(200);
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
