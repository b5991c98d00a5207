// Holes that other local agent servers had, one test each; see docs/http-api.md, "Who may call".
import { expect, it } from 'vitest';
import { rawRequest, statusOf } from './raw-request.js';
import { openTestServer, problemOf, refusal, request } from './test-server.js';

const work = { text: 'Do it', workspace: { path: '/work' } };
const close = 'Connection: close';

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
    await expect(openTestServer({ allowedHosts: [name] })).rejects.toMatchObject({ code: 'config' });
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
