import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noFacts } from '../../../src/domain/run/run-facts.js';
import { SecretAnswers } from '../../../src/host/prompts/secret-answers.js';
import { AttachedRunners } from '../../../src/host/runs/attached-runners.js';
import { CommandDelivery } from '../../../src/host/runs/command-delivery.js';
import { EventRecorder } from '../../../src/host/runs/event-recorder.js';
import { ThreadChanges } from '../../../src/host/threads/thread-changes.js';
import { newId, type RunId, type ThreadId } from '../../../src/protocol/id.js';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';

const source = { now: Date.now, randomBytes: (length: number) => randomBytes(length) };
const at = '2026-01-01T00:00:00.000Z';
const program = new URL('../../../dist/store/sqlite/store-thread.js', import.meta.url);

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

let said: string[] = [];
beforeEach(() => {
  said = [];
});

const newRecorder = ({ toolOutputLimit = 1000, sha256 = (text: string): string => text } = {}) => {
  const changes = new ThreadChanges(store, { now: Date.now, monotonic: () => performance.now() });
  const delivery = new CommandDelivery({
    store,
    changes,
    runners: new AttachedRunners(),
    secrets: new SecretAnswers(),
  });
  const promptRules = {
    newId: () => newId('prompt', source),
    sha256,
    unanswered: {},
  };
  return new EventRecorder({
    changes,
    delivery,
    promptRules,
    toolOutputLimit,
    log: (line) => said.push(line),
  });
};

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

test.each([
  ['whole', 700, 700],
  ['up to the limit', 5000, 1000],
])('what a tool said is kept beside its event, %s, and once', async (_what, length, kept) => {
  const recorder = newRecorder();
  const end = { type: 'tool_end', id: 't1', tool: 'Bash', success: true, summary: 'xx…', duration: 1 };
  const said = { ...end, outputLength: length, output: 'x'.repeat(length) };
  await recorder.record(run, [line(1, said)]);
  await recorder.record(run, [line(1, said)]);

  const [event] = await store.query('events', { threadId: run.threadId });
  expect(JSON.parse(event?.json ?? '')).toEqual({
    ...end,
    outputLength: length,
    outputKept: kept,
    timestamp: at,
    runSeq: 1,
  });
  const asked = { threadId: run.threadId, toolUseId: 't1', after: 0, limit: 10_000 };
  expect(await store.query('toolOutput', asked)).toEqual({ text: 'x'.repeat(kept), length: kept });
});

test('where nothing is to be kept, the event says only how long it was', async () => {
  const end = { type: 'tool_end', id: 't1', tool: 'Bash', success: true, summary: 'xx…', duration: 1 };
  await newRecorder({ toolOutputLimit: 0 }).record(run, [line(1, { ...end, outputLength: 9, output: 'x' })]);
  const [event] = await store.query('events', { threadId: run.threadId });
  expect(JSON.parse(event?.json ?? '')).toEqual({ ...end, outputLength: 9, timestamp: at, runSeq: 1 });
  const asked = { threadId: run.threadId, toolUseId: 't1', after: 0, limit: 10 };
  expect(await store.query('toolOutput', asked)).toBeNull();
});

const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
const approval = (levels: number) => ({
  type: 'permission_request',
  requestId: `req_${levels}`,
  toolUseId: `call_${levels}`,
  tool: 'mcp__x__y',
  input: { deep: nested(levels) },
});

test('CWE-674: an event that is nested too deeply is kept as text, said once, and what follows it is recorded', async () => {
  const recorder = newRecorder();
  const lines = [
    line(1, approval(500)),
    line(2, approval(3000)),
    { seq: 3, text: `{"type":"tool_start","timestamp":"${at}","x":${'['.repeat(1e5)}${']'.repeat(1e5)}}` },
    line(4, { type: 'session_id_update', sessionId: 's1' }),
  ];
  expect(await recorder.record(run, lines)).toBe(4);
  const events = await store.query('events', { threadId: run.threadId });
  const ofRun = events.filter(({ type }) => type !== 'prompt_asked');
  expect(ofRun.map(({ type, timestamp }) => [type, timestamp])).toEqual([
    ['permission_request', at],
    ['unrecognized', at],
    ['unrecognized', at],
    ['session_id_update', at],
  ]);
  expect(JSON.parse(ofRun[1]?.json ?? '')).toMatchObject({ raw: lines[1]?.text });
  expect((await store.query('prompts', { threadId: run.threadId })).rows).toMatchObject([
    { toolUseId: 'call_500' },
  ]);
  expect(said).toEqual([`${run.id}: Event 2 is kept and not acted on: It is nested deeper than 520 levels.`]);
});

test('CWE-248: an event on which the fold throws is kept as text, without a trace of what it had begun', async () => {
  const recorder = newRecorder({ sha256: refusesPoison });
  const lines = [
    line(1, approval(1)),
    line(2, { ...approval(2), input: { command: 'poison' } }),
    line(3, approval(3)),
  ];
  expect(await recorder.record(run, lines)).toBe(3);
  const events = await store.query('events', { threadId: run.threadId });
  expect(events.map(({ type }) => type)).toEqual([
    'permission_request',
    'unrecognized',
    'permission_request',
    'prompt_asked',
  ]);
  const { rows } = await store.query('prompts', { threadId: run.threadId });
  expect(new Set(rows.map(({ toolUseId }) => toolUseId))).toEqual(new Set(['call_1', 'call_3']));
  expect(said).toEqual([`${run.id}: Event 2 is kept and not acted on: Maximum call stack size exceeded`]);
});

function refusesPoison(text: string): string {
  if (text.includes('poison')) throw new RangeError('Maximum call stack size exceeded');
  return text;
}

test('a question that a turn leaves after its work was called off is asked of nobody', async () => {
  const sent = [{ uuid: 'm1', seq: 1, isOfOverWork: true }];
  await store.commit({
    operations: [{ do: 'patchRun', runId: run.id, patch: { facts: { ...noFacts, sent } } }],
  });
  await newRecorder().record(run, [
    line(1, { ...result, messageUuid: 'm1' }),
    line(2, { type: 'needs_input', question: 'Which?' }),
    line(3, { type: 'turn_complete', sessionId: 's' }),
    line(4, { type: 'needs_input', question: 'And this?' }),
  ]);

  const { rows } = await store.query('prompts', { threadId: run.threadId });
  expect(rows.map(({ questions }) => questions[0]?.question)).toEqual(['And this?']);
});

const asks = (name: string) => ({
  type: 'user_question_request',
  requestId: `req_${name}`,
  toolUseId: `toolu_${name}`,
  questions: [{ question: `${name}?`, multiSelect: false, options: [] }],
});

test('a question that a turn asks in a call after its work was called off is over at once', async () => {
  const sent = [
    { uuid: 'm1', seq: 1, isOfOverWork: true },
    { uuid: 'm2', seq: 2 },
  ];
  await store.commit({
    operations: [{ do: 'patchRun', runId: run.id, patch: { facts: { ...noFacts, sent } } }],
  });
  await newRecorder().record(run, [
    line(1, asks('Old')),
    line(2, { ...result, messageUuid: 'm1' }),
    line(3, { type: 'turn_complete', sessionId: 's' }),
    line(4, asks('New')),
  ]);

  const { rows } = await store.query('prompts', { threadId: run.threadId });
  expect(rows.map(({ questions, state, reason }) => [questions[0]?.question, state, reason])).toEqual([
    ['Old?', 'cancelled', 'turn_cancelled'],
    ['New?', 'pending', undefined],
  ]);
});
