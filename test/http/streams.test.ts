import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ThreadId } from '../../src/protocol/id.js';
import type { Thread } from '../../src/protocol/thread.js';
import { waitUntil } from '../harness/wait-until.js';
import { SseClient } from './sse-client.js';
import { openTestServer, problemOf, refusal, type TestServer } from './test-server.js';

function follow(server: TestServer, path: string, headers: Record<string, string> = {}): Promise<SseClient> {
  return SseClient.open(`${server.url}/api/v1${path}`, {
    authorization: `Bearer ${server.token()}`,
    ...headers,
  });
}

const eventNames = (client: SseClient) => client.messages.map(({ id, event }) => `${event} ${id ?? '-'}`);
const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
const texts = (count: number, size = 1) => Array.from({ length: count }, () => 'x'.repeat(size));

it('pages events, as the host stored them', async () => {
  await using server = await openTestServer();
  const { id, createdAt } = server.host.addThread();
  server.host.append(id, ['a', 'b', 'c']);
  const event = (seq: number, message: string) => ({ seq, type: 'notice', timestamp: createdAt, message });
  const get = async (query: string) => (await server.call('GET', `/threads/${id}/events${query}`)).body;
  expect(await get('')).toEqual({ events: [event(1, 'a'), event(2, 'b'), event(3, 'c')] });
  expect(await get('?limit=2')).toEqual({ events: [event(1, 'a'), event(2, 'b')], next: 2 });
  expect(await get('?after=2&limit=2')).toEqual({ events: [event(3, 'c')] });
});

it('replays, then follows, each event once, with its number and its type', async () => {
  await using server = await openTestServer();
  const { id, createdAt } = server.host.addThread();
  server.host.append(id, ['a', 'b']);
  const client = await follow(server, `/threads/${id}/events?after=1`);
  await waitUntil('everything was sent', () => client.seqs.length === 1);
  server.host.append(id, ['c']);
  await waitUntil('everything was sent', () => client.seqs.length === 2);
  expect(client.response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': expect.any(String),
  });
  expect(client.messages.map(({ data, ...rest }) => ({ ...rest, data: JSON.parse(data) }))).toEqual([
    { id: '2', event: 'notice', data: { seq: 2, type: 'notice', timestamp: createdAt, message: 'b' } },
    { id: '3', event: 'notice', data: { seq: 3, type: 'notice', timestamp: createdAt, message: 'c' } },
  ]);
  client.close();
  await waitUntil('nobody follows', () => server.host.followers === 0);
});

it('takes Last-Event-ID before `after`, and refuses one that is no number', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  server.host.append(id, texts(5));
  const client = await follow(server, `/threads/${id}/events?after=1`, { 'last-event-id': '3' });
  await waitUntil('everything was sent', () => client.seqs.length === 2);
  expect(client.seqs).toEqual([4, 5]);
  client.close();
  const headers = { accept: 'text/event-stream', 'last-event-id': 'three' };
  expect(problemOf(await server.call('GET', `/threads/${id}/events`, { headers }))).toEqual(
    refusal(422, 'invalid'),
  );
});

it('a thread that is not there is refused before the stream begins', async () => {
  await using server = await openTestServer();
  const path = '/threads/thr_00000000000000000000000000/events';
  const reply = await server.call('GET', path, { headers: { accept: 'text/event-stream' } });
  expect(problemOf(reply)).toEqual(refusal(404, 'not_found'));
});

it('events that arrive during the replay are neither lost nor doubled', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  server.host.append(id, texts(1200));
  let left = 3;
  server.host.afterRead = () => {
    left -= 1;
    if (left >= 0) server.host.append(id, texts(7));
  };
  const client = await follow(server, `/threads/${id}/events`);
  await waitUntil('everything was sent', () => client.seqs.length >= 1221);
  server.host.append(id, texts(1));
  await waitUntil('everything was sent', () => client.seqs.length >= 1222);
  expect(client.seqs).toEqual(upTo(1222));
  client.close();
});

it('more events during the replay than can be held are read again, without a gap', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  server.host.append(id, texts(10));
  let isFirst = true;
  server.host.afterRead = () => {
    if (!isFirst) return;
    isFirst = false;
    server.host.append(id, texts(12_000));
  };
  const client = await follow(server, `/threads/${id}/events`);
  await waitUntil('everything was sent', () => client.seqs.length >= 12_010);
  expect(client.seqs).toEqual(upTo(12_010));
  client.close();
});

it('larger events during the replay than can be held are read again, without a gap', async () => {
  await using server = await openTestServer({ limits: { queuedBytes: 64 * 1024 * 1024 } });
  const { id } = server.host.addThread();
  server.host.append(id, texts(1));
  let reads = 0;
  server.host.afterRead = () => {
    reads += 1;
    if (reads === 1) server.host.append(id, texts(6, 1_000_000));
  };
  const client = await follow(server, `/threads/${id}/events`);
  await waitUntil('everything was sent', () => client.seqs.length >= 7);
  // What was told meanwhile was not kept: it is read from the store, at the client's own pace.
  expect([client.seqs, reads]).toEqual([upTo(7), 2]);
  client.close();
});

it('live text comes only where it is asked for, has no number, and is not told after what it led to', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  server.host.beforeRead = () => {
    server.host.beforeRead = () => {};
    server.host.say(id, 'stale');
    server.host.append(id, ['done']);
    server.host.say(id, 'fresh');
  };
  const live = await follow(server, `/threads/${id}/events?live=1`);
  await waitUntil('everything was sent', () => live.messages.length === 2);
  const plain = await follow(server, `/threads/${id}/events`);
  await waitUntil('everything was sent', () => plain.messages.length === 1);
  server.host.say(id, 'more');
  server.host.append(id, ['end']);
  await waitUntil('everything was sent', () => live.messages.length >= 4 && plain.messages.length >= 2);
  expect(eventNames(live)).toEqual(['notice 1', 'text_delta -', 'text_delta -', 'notice 2']);
  expect(eventNames(plain)).toEqual(['notice 1', 'notice 2']);
  live.close();
  plain.close();
});

it('keeps quiet streams awake with comments', async () => {
  await using server = await openTestServer({ limits: { heartbeatMs: 20 } });
  const { id } = server.host.addThread();
  const client = await follow(server, `/threads/${id}/events`);
  await waitUntil('two heartbeats came', () => client.comments.length >= 2);
  expect(client.messages).toEqual([]);
  client.close();
});

it('a stream ends with the token that opened it', async () => {
  await using server = await openTestServer({ limits: { heartbeatMs: 20 } });
  const { id } = server.host.addThread();
  const client = await follow(server, `/threads/${id}/events`);
  server.tokens().rotate();
  await client.ended;
  expect(client.messages).toEqual([
    { event: 'dropped', data: expect.stringContaining('token'), id: undefined },
  ]);
  expect(server.host.followers).toBe(0);
});

it('a stream ends, and the server does not, when the tokens cannot be read any more', async () => {
  await using server = await openTestServer({ limits: { heartbeatMs: 20 } });
  const client = await follow(server, `/threads/${server.host.addThread().id}/events`);
  chmodSync(join(server.home, 'token'), 0o644);
  await client.ended;
  expect(client.messages.map(({ event }) => event)).toEqual(['dropped']);
});

it('so many streams at most', async () => {
  await using server = await openTestServer({ limits: { clients: 2 } });
  const { id } = server.host.addThread();
  const path = `/threads/${id}/events`;
  const clients = [await follow(server, path), await follow(server, '/status')];
  const headers = { accept: 'text/event-stream' };
  expect(problemOf(await server.call('GET', path, { headers }))).toEqual(refusal(503, 'unavailable'));
  clients[0]?.close();
  await waitUntil('the streams are open', () => server.host.followers === 1);
  const another = await follow(server, path);
  expect(another.response.statusCode).toBe(200);
  for (const client of [...clients, another]) client.close();
});

it('HEAD of a stream has an end', async () => {
  await using server = await openTestServer();
  const { id } = server.host.addThread();
  const headers = { accept: 'text/event-stream' };
  expect((await server.call('HEAD', `/threads/${id}/events`, { headers })).status).toBe(200);
  expect((await server.call('HEAD', '/status', { headers })).status).toBe(200);
  expect(server.host.followers).toBe(0);
});

it('closing the server ends its streams and its waiting calls', async () => {
  const server = await openTestServer();
  const { id } = server.host.addThread();
  const client = await follow(server, `/threads/${id}/events`);
  const waiting = server.call('GET', `/dispatches/${server.host.addDispatch(id).id}?wait=300`);
  await waitUntil('the streams are open', () => server.host.followers === 1 && server.host.waiting === 1);
  await server[Symbol.asyncDispose]();
  await client.ended;
  expect(client.messages.map(({ event }) => event)).toEqual(['dropped']);
  expect((await waiting).body).toMatchObject({ state: 'queued' });
});

it('tells the status of every thread that is not stopped and all observed sessions, then each change', async () => {
  await using server = await openTestServer();
  const said = { why: 'w', source: 's', confidence: 'strong' } as const;
  const idle = server.host.addThread();
  const stopped = server.host.addThread({ status: { state: 'stopped', ...said } });
  const client = await follow(server, '/status');
  await waitUntil('everything was sent', () => client.messages.length === 2);
  const busy: Thread['status'] = { state: 'busy', since: idle.createdAt, ...said };
  server.host.changeStatus(stopped.id, busy);
  await waitUntil('everything was sent', () => client.messages.length === 3);
  const seen = await server.call('PUT', '/observed/mine', {
    body: { runtime: 'exec', title: 'Mine', state: 'idle', ...said },
  });
  expect(seen.status).toBe(200);
  await waitUntil('everything was sent', () => client.messages.length === 4);
  expect(client.messages.map(({ event, data }) => [event, JSON.parse(data)])).toEqual([
    ['status', { threadId: idle.id, status: idle.status }],
    ['observed', { sessions: [] }],
    ['status', { threadId: stopped.id, status: busy }],
    ['observed', { sessions: [seen.body] }],
  ]);
  client.close();
  expect((await server.call('GET', '/observed')).body).toEqual({ sessions: [seen.body] });
  expect((await server.call('DELETE', '/observed/mine')).status).toBe(204);
  expect((await server.call('DELETE', '/observed/mine')).status).toBe(404);
});

it('200 clients on a busy thread: the slow ones are dropped, nobody waits, and all have every event', {
  tags: ['full'],
}, async () => {
  await using server = await openTestServer({ limits: { farewellMs: 600_000 } });
  const { id } = server.host.addThread();
  const path = `/threads/${id}/events`;
  const count = 200;
  const clients = await Promise.all(Array.from({ length: count }, () => follow(server, path)));
  await waitUntil('the streams are open', () => server.host.followers === count);
  const [slow, fast] = [clients.slice(0, 20), clients.slice(20)];
  for (const client of slow) client.response.pause();

  // Until every slow client's buffers are full, those of the system included, which are larger than ours.
  let last = 0;
  while (server.host.followers > fast.length) {
    server.host.append(id, texts(100, 2000));
    last += 100;
    await waitUntil('everything was sent', () => fast.every(({ seqs }) => seqs.at(-1) === last));
  }
  expect(fast.map(({ seqs }) => seqs.length)).toEqual(fast.map(() => last));

  for (const client of slow) client.response.resume();
  await Promise.all(slow.map(({ ended }) => ended));
  const resumed = await Promise.all(slow.map((client) => resume(server, id, client)));
  await waitUntil('everything was sent', () => resumed.every(({ seqs }) => seqs.at(-1) === last));
  for (const [index, client] of slow.entries()) {
    expect(client.messages.at(-1)?.event).toBe('dropped');
    expect([...client.seqs, ...(resumed[index]?.seqs ?? [])]).toEqual(upTo(last));
  }
  for (const client of [...fast, ...resumed]) client.close();
  await waitUntil('nobody follows', () => server.host.followers === 0);
});

function resume(server: TestServer, id: ThreadId, client: SseClient): Promise<SseClient> {
  return follow(server, `/threads/${id}/events`, { 'last-event-id': String(client.seqs.at(-1)) });
}

it('the overview tells everything that is there, then what has changed, as it stands', async () => {
  await using server = await openTestServer();
  const thread = server.host.addThread();
  const prompt = server.host.addPrompt(thread.id);
  const client = await follow(server, '/overview');
  await waitUntil('everything was sent', () => client.messages.length === 4);
  const busy = { ...thread.status, state: 'busy', since: thread.createdAt } as const;
  server.host.changeStatus(thread.id, { ...busy, why: 'first' });
  server.host.changeStatus(thread.id, { ...busy, why: 'second' });
  await waitUntil('everything was sent', () => client.messages.length === 5);
  expect(client.messages.map(({ event, data }) => [event, JSON.parse(data)])).toEqual([
    ['thread', thread],
    ['prompt', prompt],
    ['observed', { sessions: [] }],
    ['present', {}],
    ['thread', { ...thread, status: { ...busy, why: 'second' } }],
  ]);
  client.close();
  await waitUntil('nobody follows', () => server.host.followers === 0);
});
