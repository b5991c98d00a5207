import { expect, it } from 'vitest';
import { openTestServer, problemOf, refusal } from './test-server.js';

const identity = { pid: 7, startTime: '1', bootId: 'b' };

it('opens, begins and closes a terminal, lists sessions and adopts one', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  const body = { process: identity, setAside: true };
  expect(await server.call('POST', `/threads/${id}/terminal`, { body })).toMatchObject({
    status: 200,
    body: { thread: { id }, command: { file: '/bin/claude' } },
  });
  await server.call('PUT', `/threads/${id}/terminal`, { body: { program: identity } });
  await server.call('DELETE', `/threads/${id}/terminal`);
  await server.call('GET', '/sessions?workspace=/work');
  await server.call('POST', '/sessions/adopt', { body: { sessionId: 's', name: 'mine' } });
  expect(server.host.asked).toEqual([
    ['open terminal', id, body, 'user:owner'],
    ['begin terminal', id, identity],
    ['close terminal', id],
    ['sessions', { workspace: '/work' }],
    ['adopt', { sessionId: 's', name: 'mine' }, 'user:owner'],
  ]);
});

it.each([
  {},
  { process: { pid: 0 } },
  { process: { ...identity, pid: -1 } },
  { process: identity, force: true },
])('refuses to open a terminal with %j', async (body) => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  expect(problemOf(await server.call('POST', `/threads/${id}/terminal`, { body }))).toEqual(
    refusal(422, 'invalid'),
  );
  expect(server.host.asked).toEqual([]);
});
