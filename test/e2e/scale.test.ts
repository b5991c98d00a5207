// @module-tag full
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FilledThread, fillStore } from '../../bench/shared/filled-store.js';
import { WorkerProcess, workerEnvironment } from '../../bench/shared/worker-process.js';

const size = { threads: 1000, longest: 5046, others: 45 };
const command = new URL('../../bin/handraise.js', import.meta.url).pathname;
const home = join(mkdtempSync(join(tmpdir(), 'hr-scale-')), 'home');
let filled: FilledThread[];
let worker: WorkerProcess;

beforeAll(async () => {
  filled = await fillStore(home, size);
  worker = await WorkerProcess.start({ home, env: { HANDRAISE_KEEP_SPARE: 'false' } });
});

afterAll(async () => {
  await worker.close();
  rmSync(join(home, '..'), { recursive: true, force: true });
});

it('1,000 threads are listed from either end, each once, with as many events as they have', async () => {
  const expected = filled.map(({ row, events }) => ({ id: row.id, lastSeq: events }));
  expect(await threads('oldest_first')).toEqual(expected);
  expect(await threads('newest_first')).toEqual(expected.toReversed());
});

it('a long thread is read page by page without a gap, and stops where it ends', async () => {
  const { id } = longest();
  const seqs: number[] = [];
  for (;;) {
    const { events: page } = await worker.client.threads.events(id, { after: seqs.at(-1) ?? 0, limit: 500 });
    if (page.length === 0) break;
    seqs.push(...page.map(({ seq }) => seq ?? 0));
  }
  expect(seqs).toEqual(Array.from({ length: size.longest }, (_, index) => index + 1));
  expect(await worker.client.threads.events(id, { after: size.longest - 1, limit: 500 })).toMatchObject({
    events: [{ seq: size.longest, runSeq: size.longest }],
  });
});

it('its items, part by part, are what its events fold into', async () => {
  const { id } = longest();
  const items = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const part: Awaited<ReturnType<typeof worker.client.threads.items>> = await worker.client.threads.items(
      id,
      {
        after,
        limit: 200,
      },
    );
    items.push(...part.items);
    after = part.next;
  }
  // Each step is three events: a text, a tool call and its end.
  const steps = Array.from({ length: size.longest / 3 }, (_, step) => step);
  const expected = steps.flatMap((step) => [
    { type: 'assistant_text', seq: step * 3 + 1 },
    { type: 'tool_call', seq: step * 3 + 2, toolUseId: `tool-${step}`, result: { success: true } },
  ]);
  expect(items).toMatchObject(expected);
});

it('a stream replays a long thread to the end', async () => {
  const { id } = longest();
  const seqs: (number | null)[] = [];
  for await (const { seq } of worker.client.events(id)) {
    seqs.push(seq);
    if (seq === size.longest) break;
  }
  expect(seqs).toEqual(Array.from({ length: size.longest }, (_, index) => index + 1));
});

it('handraise ls shows the newest threads, whole ids if asked to', async () => {
  const newest = filled.toReversed().map(({ row }) => row.id);
  expect((await handraise('ls', '--quiet', '--limit', '1000')).split('\n').slice(0, -1)).toEqual(newest);
  const shown: { id: string }[] = JSON.parse(await handraise('ls', '--json'));
  expect(shown.map(({ id }) => id)).toEqual(newest.slice(0, 50));
  const table = (await handraise('ls')).trimEnd().split('\n');
  expect(table).toHaveLength(51);
  expect(table[1]).toContain(`Task ${size.threads - 1}`);
});

async function threads(order: 'oldest_first' | 'newest_first') {
  const listed: { id: string; lastSeq: number }[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const page: Awaited<ReturnType<typeof worker.client.threads.list>> = await worker.client.threads.list({
      order,
      limit: 300,
      ...(cursor && { cursor }),
    });
    listed.push(...page.threads.map(({ id, lastSeq }) => ({ id, lastSeq })));
    cursor = page.next;
  }
  return listed;
}

function longest() {
  const [first] = filled;
  if (!first) throw new Error('nothing was filled');
  return first.row;
}

async function handraise(...args: string[]): Promise<string> {
  const env = { ...workerEnvironment(home), COLUMNS: '200' };
  return (await promisify(execFile)(process.execPath, [command, ...args], { env })).stdout;
}
