import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestServer, problemOf, redeem, refusal, request, secretOf } from './test-server.js';

const minute = 60_000;

it('signs a browser in, once', async () => {
  await using server = await openTestServer();
  const link = server.loginLink();
  expect(link).toMatch(new RegExp(`^${server.url}/#login=[A-Za-z0-9_-]{43}$`));
  const first = await redeem(server.url, link);
  const secret: unknown = expect.stringMatching(/^hrs_[A-Za-z0-9_-]{43}$/);
  expect([first.status, first.body]).toEqual([200, { name: 'owner', secret }]);
  expect(first.headers.get('set-cookie')).toBeNull();
  expect(problemOf(await redeem(server.url, link))).toEqual(refusal(401, 'unauthorized'));
});

it('makes links with a token, and signs in as the name of that token', async () => {
  await using server = await openTestServer();
  const { status, body } = await server.call('POST', '/login-links');
  expect(status).toBe(201);
  const { url } = body as { url: string };
  const headers = { authorization: `Bearer ${secretOf(await redeem(server.url, url))}` };
  const call = (method: string, path: string) => request(`${server.url}/api/v1${path}`, { method, headers });

  expect((await call('GET', '/threads')).status).toBe(200);
  expect(problemOf(await call('POST', '/login-links'))).toEqual(refusal(403, 'forbidden'));
  expect((await call('POST', '/logout')).status).toBe(204);
  expect(problemOf(await call('GET', '/threads'))).toEqual(refusal(401, 'unauthorized'));
});

it('a link is good for ten minutes', async () => {
  await using server = await openTestServer();
  const [early, late] = [server.loginLink(), server.loginLink()];
  server.clock.ms += 10 * minute - 1;
  expect((await redeem(server.url, early)).status).toBe(200);
  server.clock.ms += 1;
  expect(problemOf(await redeem(server.url, late))).toEqual(refusal(401, 'unauthorized'));
});

it('a session ends after twelve idle hours', async () => {
  await using server = await openTestServer();
  const headers = { authorization: `Bearer ${await server.signIn()}` };
  const status = async () => (await request(`${server.url}/api/v1/threads`, { headers })).status;
  server.clock.ms += 12 * 60 * minute - 1;
  expect(await status()).toBe(200);
  server.clock.ms += 12 * 60 * minute - 1;
  expect(await status()).toBe(200);
  server.clock.ms += 12 * 60 * minute;
  expect(await status()).toBe(401);
});

it('a session outlives the worker, and not its token', async () => {
  await using first = await openTestServer();
  const secret = await first.signIn();
  const headers = { authorization: `Bearer ${secret}` };
  const ask = async (url: string) => (await request(`${url}/api/v1/threads`, { headers })).status;
  {
    await using second = await openTestServer({ home: first.home });
    expect(await ask(second.url)).toBe(200);
  }
  expect(readFileSync(join(first.home, 'sessions.json'), 'utf8')).not.toContain(secret.slice(4));
  first.tokens().rotate();
  await using third = await openTestServer({ home: first.home });
  expect(await ask(third.url)).toBe(401);
});

it('a sign-in is a file of the owner alone, and a disk that is full signs nobody out', async () => {
  await using server = await openTestServer();
  const headers = { authorization: `Bearer ${await server.signIn()}` };
  const file = join(server.home, 'sessions.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  // A folder where the next file would be cannot be written to.
  mkdirSync(`${file}.new`);
  server.clock.ms += 60 * minute;
  expect((await request(`${server.url}/api/v1/threads`, { headers })).status).toBe(200);
});

it('the cookie of an earlier version is taken away with the first page', async () => {
  await using server = await openTestServer();
  const page = (headers: Record<string, string>) => request(`${server.url}/threads/thr_1`, { headers });
  const old = await page({ cookie: 'handraise_session=old' });
  expect([old.status, old.headers.get('set-cookie')]).toEqual([200, 'handraise_session=; Max-Age=0; Path=/']);
  expect((await page({})).headers.get('set-cookie')).toBeNull();
});

it('the page has its script and its style from this server, and nothing from elsewhere', async () => {
  await using server = await openTestServer();
  const page = await request(`${server.url}/threads/thr_1`);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('cache-control')).toBe('no-cache');
  expect(String(page.body)).not.toMatch(/<script>|style="|https?:/);
  const linked = [...String(page.body).matchAll(/(?:src|href)="(\/assets\/[^"]*)"/g)].map(
    ([, path]) => path ?? '',
  );
  const files = await Promise.all(linked.map((path) => request(`${server.url}${path}`)));
  expect(new Set(files.map(({ headers }) => headers.get('content-type')))).toEqual(
    new Set(['text/css; charset=utf-8', 'text/javascript; charset=utf-8']),
  );
  expect(new Set(files.map(({ headers }) => headers.get('cache-control')))).toEqual(
    new Set(['public, max-age=31536000, immutable']),
  );
});
