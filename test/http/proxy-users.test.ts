import { expect, it } from 'vitest';
import { TrustedProxy } from '../../src/http/proxy-users.js';
import { ProxyUsers } from '../../src/protocol/proxy-users.js';
import { openTestServer, problemOf, refusal, request } from './test-server.js';

const header = 'x-forwarded-email';

it.each([
  ['10.0.0.5', ['10.0.0.5'], 'ada@example.com', 'ada@example.com'],
  ['::ffff:10.0.0.5', ['10.0.0.5'], 'ada@example.com', 'ada@example.com'],
  ['10.0.7.9', ['10.0.0.0/16'], 'ada@example.com', 'ada@example.com'],
  ['fd00::2', ['fd00::/8'], 'ada@example.com', 'ada@example.com'],
  ['10.0.0.6', ['10.0.0.5'], 'ada@example.com', null],
  ['10.1.0.1', ['10.0.0.0/16'], 'ada@example.com', null],
  [undefined, ['10.0.0.5'], 'ada@example.com', null],
  ['10.0.0.5', ['10.0.0.5'], '', null],
  ['10.0.0.5', ['10.0.0.5'], 'ada example', null],
  ['10.0.0.5', ['10.0.0.5'], `a${'b'.repeat(254)}`, null],
])('from %s where %j is trusted, with %j', (remoteAddress, from, user, expected) => {
  const proxy = new TrustedProxy({ header: 'X-Forwarded-Email', from });
  expect(proxy.userOf({ socket: { remoteAddress }, headersDistinct: { [header]: [user] } })).toBe(expected);
});

it('nobody is two people at once, and nobody without the header', () => {
  const proxy = new TrustedProxy({ header, from: ['10.0.0.5'] });
  const socket = { remoteAddress: '10.0.0.5' };
  expect(
    proxy.userOf({ socket, headersDistinct: { [header]: ['ada@example.com', 'eve@example.com'] } }),
  ).toBe(null);
  expect(proxy.userOf({ socket, headersDistinct: {} })).toBe(null);
});

it.each([
  { header: 'authorization', from: ['10.0.0.5'] },
  { header: 'Cookie', from: ['10.0.0.5'] },
  { header: 'sec-fetch-site', from: ['10.0.0.5'] },
  { header: 'content-type', from: ['10.0.0.5'] },
  { header: 'x user', from: ['10.0.0.5'] },
  { header, from: [] },
  { header, from: ['proxy.example'] },
  { header, from: ['10.0.0.0/99'] },
  { header },
])('the setting cannot be %j', (setting) => {
  expect(ProxyUsers.safeParse(setting).success).toBe(false);
});

it('whoever the proxy names has what the owner gave, under the name that the owner gave, until it is taken back', async () => {
  await using server = await openTestServer({ proxyUsers: { header, from: ['127.0.0.1'] } });
  const { id } = server.host.addThread();
  const call = (method: string, path: string, user = 'ada@example.com') =>
    request(`${server.url}/api/v1${path}`, { method, headers: { [header]: user } });

  const unknown = await call('GET', '/identity');
  expect(problemOf(unknown)).toEqual(refusal(403, 'forbidden'));
  expect(unknown.body).toMatchObject({
    detail:
      'ada@example.com has no access to this worker. The owner gives it with: handraise token add NAME --user ada@example.com --scope read',
  });

  server.tokens().addUser('ada', 'ada@example.com', { scope: 'limited', scopes: ['dispatch'] });
  expect((await call('GET', '/identity')).body).toEqual({
    name: 'ada',
    scope: 'limited',
    may: ['read', 'dispatch'],
  });
  expect((await call('POST', `/threads/${id}/stop`)).status).toBe(200);
  expect(server.host.asked.at(-1)).toEqual(['stop', id, 'user:ada']);
  expect(problemOf(await call('POST', `/threads/${id}/merge`))).toEqual(refusal(403, 'forbidden'));
  // A name is compared whole.
  expect((await call('GET', '/identity', 'Ada@example.com')).status).toBe(403);
  // A token counts for itself, and not for the user of the header.
  expect(
    (await server.call('GET', '/identity', { headers: { [header]: 'ada@example.com' } })).body,
  ).toMatchObject({ name: 'owner' });

  server.tokens().remove('ada');
  expect((await call('GET', '/identity')).status).toBe(403);
});

it.each([
  ['another address is trusted', { header, from: ['10.0.0.5'] }],
  ['no proxy is set', undefined],
])('the header opens nothing when %s', async (_, proxyUsers) => {
  await using server = await openTestServer({ proxyUsers });
  server.tokens().addUser('ada', 'ada@example.com', { scope: 'limited', scopes: ['admin'] });
  const reply = await request(`${server.url}/api/v1/identity`, { headers: { [header]: 'ada@example.com' } });
  expect(problemOf(reply)).toEqual(refusal(401, 'unauthorized'));
});

it('a page of another site does nothing with what the proxy says', async () => {
  await using server = await openTestServer({ proxyUsers: { header, from: ['127.0.0.1'] } });
  server.tokens().addUser('ada', 'ada@example.com', { scope: 'limited', scopes: ['admin'] });
  const headers = { [header]: 'ada@example.com', origin: 'https://evil.example' };
  const reply = await request(`${server.url}/api/v1/shutdown`, { method: 'POST', headers });
  expect(problemOf(reply)).toEqual(refusal(403, 'forbidden_origin'));
  expect(server.shutdowns()).toBe(0);
});
