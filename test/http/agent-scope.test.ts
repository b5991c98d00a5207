// Holes that other local agent servers had, one test each; see docs/http-api.md, "Who may call".
import { expect, it } from 'vitest';
import { rawRequest } from './raw-request.js';
import { openTestServer, problemOf, refusal } from './test-server.js';

const work = { text: 'Do it', workspace: { path: '/work' } };

it('client-declared scopes: what a client claims to be does not matter', async () => {
  await using server = await openTestServer();
  const authorization = `Bearer ${server.tokens().add('helper', { scope: 'agent', workspace: '/work' })}`;
  const prompt = server.host.addPrompt(server.host.addThread().id);
  const reply = await server.call('POST', `/prompts/${prompt.id}/answer`, {
    body: { text: 'yes' },
    headers: { authorization, 'x-scope': 'full', 'x-actor': 'user:owner' },
  });
  expect(problemOf(reply)).toEqual(refusal(403, 'forbidden'));
  const claimed = await server.call('POST', '/dispatches', { body: { ...work, actor: 'user:owner' } });
  expect(problemOf(claimed)).toEqual(refusal(422, 'invalid'));
});

it("an agent that read the owner's token is still an agent; it is asked about once per connection", async () => {
  const asked: object[] = [];
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
  expect(asked).toEqual([
    { remotePort: expect.any(Number), localPort: server.port, remoteAddress: '127.0.0.1' },
  ]);
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

it('a wrong code is refused before anybody looks who calls, because anybody may try one', async () => {
  let looks = 0;
  await using server = await openTestServer({
    isAgent: () => {
      looks += 1;
      return true;
    },
  });
  const login = (code: string) => server.call('POST', '/login', { body: { code } });
  const code = new URL(server.loginLink()).hash.replace('#login=', '');
  expect(problemOf(await login('wrong'))).toEqual(refusal(401, 'unauthorized'));
  expect(looks).toBe(0);
  // An agent that has the code does not use it up.
  expect(problemOf(await login(code))).toEqual(refusal(403, 'forbidden'));
  expect(problemOf(await login(code))).toEqual(refusal(403, 'forbidden'));
});
