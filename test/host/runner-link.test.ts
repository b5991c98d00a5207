import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RunnerLink } from '../../src/host/runner-link.js';

let folder: string;
let server: Server | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'handraise-link-'));
});
afterEach(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A runner of which only the first words matter. */
async function runner(words: readonly (object | string)[]): Promise<string> {
  const path = join(folder, 'socket');
  server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end(words.map((word) => `${typeof word === 'string' ? word : JSON.stringify(word)}\n`).join(''));
  });
  await new Promise<void>((resolve) => server?.listen(path, resolve));
  return path;
}

const hello = {
  type: 'hello',
  protocol: 1,
  runId: 'run_00000000000000000000000001',
  pid: 1,
  startTime: '1',
  bootId: 'b',
  lastRunSeq: 0,
};

test.each([
  ['the same version', 1, true],
  ['one newer', 2, true],
  ['two newer', 3, false],
])('a runner of %s', async (_name, protocol, isSpokenTo) => {
  const link = await RunnerLink.open(await runner([{ ...hello, protocol }]));
  expect(link !== null).toBe(isSpokenTo);
  await link?.[Symbol.asyncDispose]();
});

test('nobody there, and somebody who says something else, are no link', async () => {
  expect(await RunnerLink.open(join(folder, 'nothing'))).toBeNull();
  expect(await RunnerLink.open(await runner(['garbage']))).toBeNull();
});

test('events have their number, everything else is said aside, also what a newer runner says', async () => {
  const event = { type: 'from_the_future', runSeq: 1 };
  const link = await RunnerLink.open(
    await runner([hello, event, { type: 'text_delta', content: 'x' }, 'garbage']),
  );
  const said = [];
  for await (const one of link?.said() ?? []) said.push(one);
  expect(said).toEqual([
    { kind: 'event', type: 'from_the_future', seq: 1, text: JSON.stringify(event) },
    { kind: 'aside', type: 'text_delta', text: '{"type":"text_delta","content":"x"}' },
    { kind: 'aside', type: 'unreadable', text: 'garbage' },
  ]);
});
