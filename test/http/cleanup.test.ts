import { expect, it } from 'vitest';
import { openTestServer, problemOf, refusal } from './test-server.js';

it('puts a thread off, and takes that back', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  const until = '2026-01-03T08:00:00.000Z';
  expect((await server.call('POST', `/threads/${id}/snooze`, { body: { until } })).status).toBe(200);
  expect((await server.call('POST', `/threads/${id}/snooze`, { body: { until: null } })).status).toBe(200);
  expect(server.host.asked).toEqual([
    ['snooze', id, { until }, 'user:owner'],
    ['snooze', id, { until: null }, 'user:owner'],
  ]);
});

it.each([{}, { until: 'tomorrow' }, { until: 7 }, { until: null, for: 'ever' }])(
  'refuses to put a thread off by %j',
  async (body) => {
    await using server = await openTestServer();
    const { id } = server.host.addThread();
    expect(problemOf(await server.call('POST', `/threads/${id}/snooze`, { body }))).toEqual(
      refusal(422, 'invalid'),
    );
    expect(server.host.asked).toEqual([]);
  },
);

it('archives, removes and prunes', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  await server.call('POST', `/threads/${id}/archive`, { body: { undo: true } });
  await server.call('DELETE', `/threads/${id}`);
  await server.call('DELETE', `/threads/${id}?force=true`);
  await server.call('POST', '/prune', { body: { dryRun: true, states: ['failed'], keepBytes: 7 } });
  const actor = 'user:owner';
  expect(server.host.asked).toEqual([
    ['archive', id, { undo: true }, actor],
    ['remove', id, { force: false, actor }],
    ['remove', id, { force: true, actor }],
    ['prune', { dryRun: true, states: ['failed'], keepBytes: 7, olderThanDays: 30 }, actor],
  ]);
});

it.each([
  { olderThanDays: -1 },
  { olderThanDays: 'x' },
  { states: ['lost'] },
  { keepBytes: 0.5 },
  { force: true },
])('refuses to prune by %j', async (body) => {
  await using server = await openTestServer();
  expect(problemOf(await server.call('POST', '/prune', { body }))).toEqual(refusal(422, 'invalid'));
  expect(server.host.asked).toEqual([]);
});

it('imports a thread, and nothing that it does not know', async () => {
  await using server = await openTestServer();
  const at = '2026-01-02T03:04:05.000Z';
  const body = {
    from: 'thr_1',
    title: 'Old',
    runtime: 'exec',
    createdAt: at,
    events: [{ type: 'notice', timestamp: at, message: 'hi' }],
  };
  expect((await server.call('POST', '/threads/import', { body })).status).toBe(201);
  expect(server.host.asked).toEqual([['import', body, 'user:owner']]);
  for (const wrong of [
    { workspace: { path: '/etc' } },
    { events: [{ type: 'x/y', timestamp: at }] },
    { runtime: 'emacs' },
  ])
    expect(problemOf(await server.call('POST', '/threads/import', { body: { ...body, ...wrong } }))).toEqual(
      refusal(422, 'invalid'),
    );
});
