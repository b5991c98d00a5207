// Holes that other local agent servers had, one test each; see docs/http-api.md, "Who may call".
import { expect, it } from 'vitest';
import { rawRequest } from './raw-request.js';
import { openTestServer, problemOf, refusal } from './test-server.js';

const work = { text: 'Do it', workspace: { path: '/work' } };

it('client-declared scopes: what a client claims to be does not matter', async () => {
  await using server = await openTestServer();
  const authorization = `Bearer ${server.tokens().add('helper', 'agent')}`;
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
  const headers = { authorization: `Bearer ${server.tokens().add('helper', 'agent')}` };
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
    await post('/dispatches', { ...work, runtime: 'exec', posture: { command: 'sh -c {prompt}' } }),
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
