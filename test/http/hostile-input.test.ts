// Holes that other local agent servers had, one test each; see docs/http-api.md, "Who may call".
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rawRequest, statusOf } from './raw-request.js';
import { openTestServer, problemOf, refusal, request } from './test-server.js';

const work = { text: 'Do it', workspace: { path: '/work' } };
const close = 'Connection: close';

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

it('CWE-770: a body that somebody sends without a token is small, wherever one may come without', async () => {
  await using server = await openTestServer();
  const nested = `{"code":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const sent = async (path: string, body: string) =>
    statusOf(
      await rawRequest(
        server.port,
        [
          `POST /api/v1${path} HTTP/1.1`,
          `Host: 127.0.0.1:${server.port}`,
          'Content-Type: application/json',
          `Content-Length: ${body.length}`,
          close,
        ],
        body,
      ),
    );
  expect(await sent('/login', nested)).toBe(413);
  expect(await sent('/login', JSON.stringify({ code: 'x'.repeat(5000) }))).toBe(413);
  expect(await sent('/login', JSON.stringify({ code: 'x'.repeat(40) }))).toBe(401);
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
  await using server = await openTestServer({ requestMs: 200 });
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
  await using server = await openTestServer({ requestMs: 200 });
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
