import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RunnerConnection } from '../../../src/host/runs/runner-connection.js';
import { RunId } from '../../../src/protocol/id.js';

let folder: string;
let server: Server | undefined;
let sockets: Socket[];
beforeEach(() => {
  sockets = [];
  folder = mkdtempSync(join(tmpdir(), 'handraise-link-'));
});
afterEach(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A runner of which only the first words matter. */
async function runner(words: readonly (object | string)[], { hangsUp = true } = {}): Promise<string> {
  const path = join(folder, 'socket');
  server = createServer((socket) => {
    socket.on('error', () => {});
    sockets.push(socket);
    socket.write(words.map((word) => `${typeof word === 'string' ? word : JSON.stringify(word)}\n`).join(''));
    if (hangsUp) socket.end();
  });
  await new Promise<void>((resolve) => server?.listen(path, resolve));
  return path;
}

const hello = {
  type: 'hello',
  protocol: 3,
  runId: 'run_00000000000000000000000001',
  pid: 1,
  startTime: '1',
  bootId: 'b',
  lastRunSeq: 0,
  nonce: 'greeting',
} as const;
const secret = 'the secret of the run';
const attachment = { runId: RunId.parse(hello.runId), secret, epoch: 3, afterRunSeq: 0 };

async function connected(
  words: readonly (object | string)[],
  options: { readonly hangsUp?: boolean } = {},
): Promise<RunnerConnection> {
  const reached = await RunnerConnection.open(await runner(words, options));
  if (reached.kind !== 'connected') throw new Error(reached.kind);
  return reached.connection;
}

test.each([
  ['one older', 2, { kind: 'connected' }],
  ['the same version', 3, { kind: 'connected' }],
  ['one newer', 4, { kind: 'connected' }],
  [
    'two newer',
    5,
    {
      kind: 'foreign',
      why: 'it speaks version 5 of the protocol and this worker version 3. Start the newer version of handraise again, or stop the agent',
    },
  ],
])('a runner of %s', async (_name, protocol, expected) => {
  const reached = await RunnerConnection.open(await runner([{ ...hello, protocol }]));
  expect(reached).toMatchObject(expected);
  if (reached.kind === 'connected') await reached.connection[Symbol.asyncDispose]();
});

test('nobody there, somebody who says something else, and somebody who says nothing, are told apart', async () => {
  expect(await RunnerConnection.open(join(folder, 'nothing'))).toEqual({ kind: 'nobody' });
  expect(await RunnerConnection.open(await runner(['garbage']))).toMatchObject({ kind: 'foreign' });
  server?.close();
  const path = join(folder, 'hung');
  server = createServer();
  await new Promise<void>((resolve) => server?.listen(path, resolve));
  expect(await RunnerConnection.open(path, { greetingMs: 50 })).toEqual({ kind: 'silent' });
});

test.each<[string, readonly (object | string)[], string]>([
  ['hangs up', [hello], 'The runner hung up.'],
  [
    'says nothing of a proof',
    [hello, { type: 'ready', runSeq: 1 }],
    'What listens at the socket does not answer as a runner does.',
  ],
  [
    'has another secret',
    [hello, { type: 'attached', proof: 'f'.repeat(64) }],
    'Whoever listens at the socket is not the runner of this run.',
  ],
  ['refuses', [hello, { type: 'refused', error: 'No.' }], 'The runner refused this worker: No.'],
  ['has a newer worker', [hello, { type: 'evicted', epoch: 9 }], 'A newer worker has the runner.'],
])('somebody at the socket who %s is not attached to', async (_name, words, message) => {
  await using connection = await connected(words);
  await expect(connection.attach(attachment)).rejects.toThrow(message);
});

test('events have their number, everything else is transient, also what a newer runner says; a beat is only a sign of life', async () => {
  const event = { type: 'from_the_future', runSeq: 1 };
  const beat = { type: 'beat' };
  const words = [hello, event, beat, { type: 'text_delta', content: 'x' }, 'garbage'];
  await using connection = await connected(words);
  const lines = [];
  for await (const line of connection.lines()) lines.push(line);
  expect(lines).toEqual([
    { kind: 'durable', type: 'from_the_future', seq: 1, text: JSON.stringify(event) },
    { kind: 'transient', type: 'text_delta', text: '{"type":"text_delta","content":"x"}' },
    { kind: 'transient', type: 'unreadable', text: 'garbage' },
  ]);
  expect(connection.hasSpoken()).toBe(true);
});

test('a runner that says nothing more has not spoken, and one that has hung up is not waited for', async () => {
  await using connection = await connected([hello, { type: 'beat' }], { hangsUp: false });
  expect([connection.hasSpoken(), connection.hasSpoken()]).toEqual([true, false]);
  for (const socket of sockets) socket.end();
  for await (const line of connection.lines()) throw new Error(line.text);
  expect([connection.hasSpoken(), connection.hasSpoken()]).toEqual([true, true]);
});
