import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Recorder } from '../../src/host/recorder.js';
import { ThreadBook } from '../../src/host/thread-book.js';
import { newId, type RunId, type ThreadId } from '../../src/protocol/id.js';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';

const source = { now: Date.now, randomBytes: (length: number) => randomBytes(length) };
const at = '2026-01-01T00:00:00.000Z';
const program = new URL('../../dist/store/sqlite/thread.js', import.meta.url);

let folder: string;
let store: SqliteStore;
let run: { id: RunId; threadId: ThreadId };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'handraise-recorder-'));
  const worker = { id: newId('worker', source), name: 'test', startedAt: at };
  store = await SqliteStore.open({ file: join(folder, 'store.db'), worker, program });
  const threadId = newId('thread', source);
  const runId = newId('run', source);
  run = { id: runId, threadId };
  const status = { state: 'stopped', why: 'new', source: 'test', confidence: 'authoritative' } as const;
  const thread = {
    id: threadId,
    title: 't',
    runtime: 'claude',
    workspace: { path: '/w' },
    status,
    createdAt: at,
    launch: { permissions: 'approval', posture: {} },
  } as const;
  await store.commit({
    operations: [
      { do: 'insertThread', thread },
      { do: 'insertRun', run: { id: runId, threadId, runtime: 'claude', posture: {}, startedAt: at } },
    ],
  });
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const newRecorder = () =>
  new Recorder(new ThreadBook(store, Date.now), { newId: () => newId('prompt', source), unanswered: {} });

const line = (seq: number, event: object) => ({
  seq,
  text: JSON.stringify({ ...event, timestamp: at, runSeq: seq }),
});
const result = {
  type: 'result',
  success: true,
  subtype: 'success',
  cost: 0.5,
  turns: 1,
  usage: { inputTokens: 10, outputTokens: 2, cacheReadInputTokens: 5, cacheCreationInputTokens: 1 },
  stats: {
    toolCalls: 0,
    toolsByType: {},
    subAgents: 0,
    filesRead: 0,
    filesWritten: 0,
    bashCommands: 0,
    webSearches: 0,
    totalToolDurationMs: 0,
  },
  origin: 'message',
};

test('events and what follows from them are one: session, usage, exit; a repeat changes nothing', async () => {
  const recorder = newRecorder();
  const lines = [
    line(1, { type: 'session_id_update', sessionId: 's1' }),
    line(2, result),
    line(3, { type: 'agent_exited', exitCode: 0, signal: null, oom: false }),
  ];
  expect(await recorder.record(run, lines)).toBe(3);
  expect(await recorder.record(run, lines)).toBe(3);

  const stored = await store.query('run', { id: run.id });
  expect(stored).toMatchObject({
    sessionId: 's1',
    lastRunSeq: 3,
    exit: { exitCode: 0, signal: null, oom: false },
  });
  expect((await store.query('thread', { id: run.threadId }))?.usage).toEqual({
    inputTokens: 16,
    outputTokens: 2,
    costUsd: 0.5,
  });
  const events = await store.query('events', { threadId: run.threadId });
  expect(events.map(({ seq, runSeq, json }) => [seq, runSeq, json])).toEqual(
    lines.map(({ seq, text }) => [seq, seq, text]),
  );
});

test('a recorder that is behind is refused as a whole, so nothing is folded twice', async () => {
  const [behind, recorder] = [newRecorder(), newRecorder()];
  await behind.record(run, [line(1, result)]);
  await recorder.record(run, [line(2, result)]);
  await expect(behind.record(run, [line(2, result), line(3, result)])).rejects.toThrow('refused: condition');
  expect((await store.query('thread', { id: run.threadId }))?.usage.costUsd).toBe(1);
});

test('a gap is never recorded, because what is missing could not be put in later', async () => {
  const recorder = newRecorder();
  await expect(recorder.record(run, [line(2, result)])).rejects.toThrow('have a gap after 0');
  await expect(recorder.record(run, [line(1, result), line(3, result)])).rejects.toThrow(
    'have a gap after 0',
  );
  expect(await store.query('events', { threadId: run.threadId })).toEqual([]);
});

test('an event of a newer runner, and one that is not as it should be, are kept and not acted on', async () => {
  const recorder = newRecorder();
  const lines = [
    line(1, { type: 'from_the_future', a: 1 }),
    line(2, { ...result, cost: 'much' }),
    { seq: 3, text: 'not JSON' },
  ];
  await recorder.record(run, lines);
  const events = await store.query('events', { threadId: run.threadId });
  expect(events.map(({ type, json }) => [type, json])).toEqual([
    ['from_the_future', lines[0]?.text],
    ['result', lines[1]?.text],
    [
      'unrecognized',
      JSON.stringify({
        type: 'unrecognized',
        timestamp: new Date(0).toISOString(),
        runSeq: 3,
        raw: 'not JSON',
      }),
    ],
  ]);
  expect((await store.query('thread', { id: run.threadId }))?.usage.costUsd ?? 0).toBe(0);
});
