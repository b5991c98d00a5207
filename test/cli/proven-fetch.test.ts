import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { provenFetch } from '../../src/cli/proven-fetch.js';
import { Client } from '../../src/client/client.js';
import { proofOf } from '../../src/http/worker-proof.js';
import { openTestServer } from '../http/test-server.js';
import { openRecordingListener } from './recording-listener.js';

const secret = 's'.repeat(43);
const empty = 'HTTP/1.1 204 No Content\r\n';

/** What those answer who listen there and are not the worker. */
const impostors: Record<string, (text: string, socket: Socket) => void> = {
  'says that all is well': (_, socket) =>
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{"ok":true}'),
  'has no proof': (_, socket) => socket.write(`${empty}\r\n`),
  'has an empty proof': (_, socket) => socket.write(`${empty}Handraise-Proof:\r\n\r\n`),
  'gives the challenge back': (text, socket) =>
    socket.write(`${empty}Handraise-Proof: ${challengeIn(text)}\r\n\r\n`),
  'guesses the secret': (text, socket) =>
    socket.write(`${empty}Handraise-Proof: ${proofFor(text, socket, 'x'.repeat(43))}\r\n\r\n`),
  'knows an old proof': (_, socket) =>
    socket.write(
      `${empty}Handraise-Proof: ${proofOf(secret, { challenge: 'old', address: '127.0.0.1', port: socket.localPort })}\r\n\r\n`,
    ),
  'begins with the proof and says more': (text, socket) =>
    socket.write(`${empty}Handraise-Proof: ${proofFor(text, socket, secret)}\r\n\r\nHTTP/1.1 200 OK\r\n`),
  'never ends its headers': (_, socket) => socket.write(`${empty}X: ${'x'.repeat(10_000)}`),
  'speaks another language': (_, socket) => socket.write(Buffer.from([0, 1, 2, 3, 13, 10, 13, 10])),
  'hangs up': (_, socket) => socket.destroy(),
};

it.each(Object.keys(impostors))('somebody who %s gets neither token nor message', async (name) => {
  await using listener = await openRecordingListener({ ...(impostors[name] && { answer: impostors[name] }) });
  const client = new Client({
    url: `http://127.0.0.1:${listener.port}`,
    token: 'hrt_owner',
    fetch: provenFetch(secret),
  });
  const submitted = client.dispatches.submit({ text: 'A private plan', workspace: { path: '/work' } });
  await expect(submitted).rejects.toMatchObject({ code: 'unavailable' });
  expect(listener.heard()).toMatch(
    /^GET \/api\/v1\/proof\?challenge=[\w-]{43} HTTP\/1.1\r\nHost: [\d.:]+\r\n\r\n$/,
  );
});

it('somebody who passes everything on to the worker gets nothing either', async () => {
  await using server = await openTestServer({ proofSecret: secret });
  const passed = new Map<Socket, Socket>();
  await using listener = await openRecordingListener({
    answer: (text, socket) => {
      const worker = passed.get(socket) ?? connect(server.port, '127.0.0.1');
      if (!passed.has(socket)) worker.on('error', () => {}).pipe(socket);
      passed.set(socket, worker);
      worker.write(text.replaceAll(`:${listener.port}`, `:${server.port}`));
    },
  });
  const client = new Client({
    url: `http://127.0.0.1:${listener.port}`,
    token: server.token(),
    fetch: provenFetch(secret),
  });
  await expect(client.threads.list()).rejects.toThrow('is not the worker of this home');
  expect(listener.heard()).not.toMatch(/authorization|hrt_/i);
  for (const worker of passed.values()) worker.destroy();
});

it('the worker itself is called and followed, each connection proved once', async () => {
  await using server = await openTestServer({ proofSecret: secret });
  const client = new Client({ url: server.url, token: server.token(), fetch: provenFetch(secret) });
  const work = { text: 'Do it', workspace: { path: '/work' } };
  const dispatch = await client.dispatches.submit(work);
  expect(await client.dispatches.get(dispatch.id)).toEqual(dispatch);
  await expect(client.shutdown()).resolves.toBeUndefined();

  const { id } = server.host.addThread();
  server.host.append(id, ['one', 'two']);
  const seen: (number | null)[] = [];
  const ending = new AbortController();
  for await (const { seq } of client.events(id, { signal: ending.signal })) {
    seen.push(seq);
    if (seen.length === 2) ending.abort();
  }
  expect(seen).toEqual([1, 2]);
});

it('a proof holds for one connection: who takes the port of a worker that died is asked again', async () => {
  const server = await openTestServer({ proofSecret: secret });
  const client = new Client({ url: server.url, token: server.token(), fetch: provenFetch(secret) });
  await client.threads.list();
  const { id } = server.host.addThread();
  server.host.append(id, ['one']);
  const events = client.events(id, { patience: 3 });
  expect((await events.next()).value).toMatchObject({ seq: 1 });
  await server[Symbol.asyncDispose]();

  await using listener = await openRecordingListener({
    port: server.port,
    answer: (_, socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
  });
  await expect(client.threads.list()).rejects.toMatchObject({ code: 'unavailable' });
  await expect(events.next()).rejects.toMatchObject({ code: 'unavailable' });
  expect(listener.connections()).toBeGreaterThan(2);
  expect(listener.heard()).not.toMatch(/authorization|hrt_|last-event-id/i);
});

function challengeIn(text: string): string {
  return /challenge=([\w-]+)/.exec(text)?.[1] ?? '';
}

function proofFor(text: string, socket: Socket, key: string): string {
  return proofOf(key, { challenge: challengeIn(text), address: '127.0.0.1', port: socket.localPort });
}
