import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MovedCount } from '../../../src/store/move/move-store.js';
import { movedTables } from '../../../src/store/move/moved-table.js';
import { PostgresStore } from '../../../src/store/postgres/postgres-store.js';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import type { Store } from '../../../src/store/store.js';
import { at, id, newDispatch, newEvent, newPrompt, newRun, newThread } from '../../contract/store/records.js';
import { PostgresServer } from '../../harness/postgres-server.js';
import { program } from '../sqlite/place.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start();
});
afterAll(async () => await server?.[Symbol.asyncDispose]());

const worker = { id: id('worker'), name: 'here', startedAt: at(0) };
const openFile = async (file: string) => await SqliteStore.open({ file, worker, program });

it('everything arrives in PostgreSQL and comes back as it was, is found again, and goes on', {
  tags: ['full'],
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'move-'));
  const file = join(folder, 'home', 'store.db');
  const before = await openFile(file);
  const { threadId, promptId } = await fill(before);
  await before.close();

  const url = server.url(await server.createDatabase());
  const there = (await moved({ from: file, to: url })).counts ?? [];
  expect(there.map(({ table }) => table)).toEqual(movedTables.map(({ name }) => name));
  expect(there.filter(({ from, to }) => from !== to)).toEqual([]);
  const counted = Object.fromEntries(there.map(({ table, to }) => [table, to]));
  expect(counted).toMatchObject({ workers: 1, threads: 3, runs: 1, dispatches: 1, events: 500, prompts: 1 });

  const store = await PostgresStore.open({ url, worker });
  const found = await store.query('threads', { search: 'zebra' });
  expect(found.rows.map((row) => row.id)).toEqual([threadId]);
  expect(await store.query('prompt', { id: promptId })).toMatchObject({ state: 'pending' });
  expect((await store.query('dispatches', { own: true, state: 'queued' })).rows).toHaveLength(1);
  // Numbers go on where they were.
  const added = newThread({ title: 'Added there' });
  const result = await store.commit({ operations: [{ do: 'insertThread', thread: added }] });
  expect(result.committed).toBe(true);
  // As long as a worker is there, nothing is moved.
  const back = join(folder, 'back.db');
  expect(await moved({ from: url, to: back })).toMatchObject({ code: 'home_busy' });
  expect(existsSync(back)).toBe(false);
  await store.close();

  // What a move left that was killed is in nobody's way.
  writeFileSync(`${back}.moving`, 'half');
  expect(await moved({ from: url, to: back })).toHaveProperty('counts');
  expect(existsSync(`${back}.moving`)).toBe(false);
  const again = await openFile(back);
  const threads = await again.query('threads', {});
  expect(threads.rows.map(({ title }) => title)).toEqual([
    'A zebra and \ufffd',
    'Second',
    'Third',
    'Added there',
  ]);
  expect((await again.query('threads', { search: 'zebra' })).rows.map((row) => row.id)).toEqual([threadId]);
  const events = await again.query('events', { threadId, after: 0, limit: 1000 });
  expect(events.map(({ seq, json }) => [seq, json])).toEqual(
    Array.from({ length: 500 }, (_, index) => [index + 1, newEvent(index + 1).json]),
  );
  await again.close();
});

it('a place that is not empty, is in use, is missing, or is the same is refused, and stays as it is', {
  tags: ['full'],
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'move-'));
  const file = join(folder, 'home', 'store.db');
  const store = await openFile(file);
  await fill(store);
  const url = server.url(await server.createDatabase());
  expect(await moved({ from: file, to: url })).toMatchObject({ code: 'home_busy' });
  await store.close();

  const full = join(folder, 'full.db');
  writeFileSync(full, 'precious');
  expect(await moved({ from: file, to: full })).toMatchObject({ code: 'conflict' });
  expect(readFileSync(full, 'utf8')).toBe('precious');
  expect(await moved({ from: join(folder, 'no.db'), to: url })).toMatchObject({
    code: 'missing_file',
  });
  expect(await moved({ from: file, to: file })).toMatchObject({ code: 'usage' });

  expect(await moved({ from: file, to: url })).toHaveProperty('counts');
  expect(await moved({ from: file, to: url })).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('is not empty: it has workers'),
  });
});

/** What became of a move. */
async function moved({ from, to }: { readonly from: string; readonly to: string }): Promise<Moved> {
  const file = new URL('./move-program.js', import.meta.url).pathname;
  const { stdout } = await promisify(execFile)(process.execPath, [file, from, to]);
  return JSON.parse(stdout) as Moved;
}

interface Moved {
  readonly counts?: readonly MovedCount[];
  readonly code?: string;
  readonly message?: string;
}

/** Some of everything, with characters that PostgreSQL has no place for. */
async function fill(store: Store) {
  const thread = newThread({ title: 'A zebra and \ud800' });
  const run = newRun(thread.id);
  const prompt = newPrompt(thread.id);
  const events = Array.from({ length: 500 }, (_, index) => newEvent(index + 1));
  const committed = await store.commit({
    operations: [
      { do: 'insertThread', thread },
      { do: 'insertThread', thread: newThread({ title: 'Second' }) },
      { do: 'insertThread', thread: newThread({ title: 'Third' }) },
      { do: 'insertRun', run },
      { do: 'insertDispatch', dispatch: newDispatch(thread.id) },
      { do: 'appendEvents', threadId: thread.id, runId: run.id, events },
      { do: 'openPrompt', prompt },
      { do: 'putToolOutput', threadId: thread.id, toolUseId: 'tool', text: 'output' },
      {
        do: 'addUsage',
        threadId: thread.id,
        runtime: 'claude',
        at: at(3),
        usage: { inputTokens: 1, outputTokens: 2, costUsd: 0.25 },
      },
      { do: 'putOutbox', entry: { id: 'out', kind: 'notify ops', payload: { a: 1 }, dueAt: at(9) } },
    ],
  });
  expect(committed.committed).toBe(true);
  return { threadId: thread.id, promptId: prompt.id };
}
