import { expect, it } from 'vitest';
import { openTestServer, problemOf, refusal } from './test-server.js';

it('lists threads by every filter', async () => {
  await using server = await openTestServer();
  const query = new URLSearchParams({
    name: 'fix',
    runtime: 'exec',
    workspace: '/work',
    state: 'failed',
    search: 'a "b',
    archived: 'only',
    idSuffix: '7x',
  });
  query.append('label', 'sprint=12');
  query.append('label', 'urgent');
  expect((await server.call('GET', `/threads?${query.toString()}`)).status).toBe(200);
  expect((await server.call('GET', '/threads?state=waiting&label=a=b=c')).status).toBe(200);
  expect(server.host.asked).toEqual([
    [
      'threads',
      {
        name: 'fix',
        runtime: 'exec',
        workspace: '/work',
        result: 'failed',
        search: 'a "b',
        archived: 'only',
        idSuffix: '7x',
        labels: [{ key: 'sprint', value: '12' }, { key: 'urgent' }],
      },
    ],
    ['threads', { state: 'waiting', labels: [{ key: 'a', value: 'b=c' }] }],
  ]);
});

it.each([
  ['name=-x'],
  ['runtime=emacs'],
  ['state=lost'],
  ['search='],
  [`search=${'x'.repeat(501)}`],
  ['archived=true'],
  ['idSuffix=_'],
  ['label='],
  [Array.from({ length: 11 }, () => 'label=a').join('&')],
])('refuses a list of threads with %s', async (query) => {
  await using server = await openTestServer();
  expect(problemOf(await server.call('GET', `/threads?${query}`))).toEqual(refusal(422, 'invalid'));
  expect(server.host.asked).toEqual([]);
});

it('names a thread, and refuses what is no name', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  const named = await server.call('PATCH', `/threads/${id}`, { body: { name: 'fix-login' } });
  expect([named.status, server.host.asked]).toEqual([
    200,
    [['edit', id, { name: 'fix-login' }, 'user:owner']],
  ]);
  for (const body of [{ name: 'last' }, { name: '' }, {}, { title: 'x' }])
    expect(problemOf(await server.call('PATCH', `/threads/${id}`, { body }))).toEqual(
      refusal(422, 'invalid'),
    );
});
