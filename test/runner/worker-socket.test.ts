// CWE-770 and CWE-400: what somebody costs the runner who connects to its socket and is not its worker.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AttachGate } from '../../src/runner/attach-gate.js';
import { WorkerSocket } from '../../src/runner/worker-socket.js';
import { waitUntil } from '../harness/wait-until.js';
import { linkSecret, WorkerLink } from './worker-link.js';

const runId = 'run_00000000000000000000000001';
let folder: string;
let path: string;
let socket: WorkerSocket;
let heard: unknown[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handraise-socket-'));
  path = join(folder, 's', 'socket');
  heard = [];
});
afterEach(async () => {
  await socket.close();
  rmSync(folder, { recursive: true, force: true });
});

async function listen({ unprovenMs = 600_000 } = {}): Promise<void> {
  socket = new WorkerSocket({
    path,
    journalFolder: folder,
    secret: linkSecret,
    epoch: 1,
    gate: new AttachGate({ secret: linkSecret, runId, socket: path, holds: () => null }),
    hello: () => ({
      type: 'hello',
      protocol: 3,
      runId: runId as never,
      pid: 1,
      startTime: '1',
      bootId: 'b',
    }),
    log: () => {},
    unprovenMs,
  });
  await socket.listen();
  socket.serve({
    line: (line) => heard.push(line.kind === 'parsed' ? line.value : line.message),
    acknowledged: () => {},
    renewed: () => {},
  });
}

function stranger(): { readonly socket: Socket; said: string; isClosed: boolean } {
  const it = { socket: connect(path), said: '', isClosed: false };
  it.socket.setEncoding('utf8').on('data', (chunk: string) => (it.said += chunk));
  it.socket.on('error', () => {});
  it.socket.on('close', () => (it.isClosed = true));
  return it;
}

test('CWE-770: whoever has not proven to be the worker is sent away with a line that is longer than an attach', async () => {
  await listen();
  const it = stranger();
  it.socket.write(`${'x'.repeat(5000)}\n`);
  await waitUntil('it is sent away', () => it.isClosed);
  expect(it.said).toContain('not_attached');
});

test('CWE-400: whoever does not attach in time is sent away, and the worker stays', async () => {
  await listen({ unprovenMs: 300 });
  const worker = await WorkerLink.attach(path, { afterRunSeq: 0, epoch: 2 });
  const it = stranger();
  await waitUntil('it is sent away', () => it.isClosed);
  expect(worker.isClosed).toBe(false);
  worker.send({ type: 'message', content: 'x'.repeat(2 ** 20) });
  await waitUntil('a long line of the worker arrives', () => heard.length === 1);
});

test('a worker that has attached while the runner was stopped is let in, although its time is over', async () => {
  const unprovenMs = 300;
  await listen({ unprovenMs });
  const worker = await WorkerLink.open(path);
  const attached = worker.attach(path, { afterRunSeq: 0, epoch: 2 });
  const until = performance.now() + 2 * unprovenMs;
  while (performance.now() < until);
  await attached;
  expect(worker.isClosed).toBe(false);
});

test('CWE-770: of many who do not attach the oldest go, and the worker gets in', async () => {
  await listen();
  const crowd = Array.from({ length: 40 }, stranger);
  await waitUntil('most are sent away', () => crowd.filter(({ isClosed }) => isClosed).length >= 24);
  const worker = await WorkerLink.attach(path, { afterRunSeq: 0, epoch: 2 });
  expect(await worker.next('attached')).toMatchObject({ type: 'attached' });
  expect(crowd.filter(({ isClosed }) => !isClosed).length).toBeLessThanOrEqual(16);
  for (const { socket: one } of crowd) one.destroy();
});
