import { readFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../dist/protocol/index.js';
import { SqliteStore } from '../../dist/store/sqlite/sqlite-store.js';
import { benchWorker, newDispatchId, newRunId, newThreadId, threadRow } from './rows.js';

const workspaces = 20;
const unitsAtOnce = 50;
const eventsInUnit = 500;
const start = Date.parse('2026-01-01T00:00:00.000Z');

/** @typedef {{ id: ReturnType<typeof newThreadId>, events: number }} FilledThread */

/**
 * Fills the store of a home as a worker of that home would have: threads with an ended run and ended work each, the
 * oldest of them long. A worker may open the home afterwards.
 * @param {string} home @param {{ threads: number, events: number, longest: number }} size
 * @returns {Promise<FilledThread[]>} oldest first
 */
export async function fillStore(home, { threads, events, longest }) {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const store = await SqliteStore.open({ file: join(home, 'store.db'), worker: benchWorker(workerIdOf(home)) });
  try {
    const each = Math.floor((events - longest) / Math.max(1, threads - 1));
    const filled = Array.from({ length: threads }, (_, index) => ({
      id: newThreadId(),
      events: index === 0 ? longest : each,
    }));
    for (let first = 0; first < filled.length; first += unitsAtOnce) {
      const part = filled.slice(first, first + unitsAtOnce);
      await Promise.all(part.map(async (thread, index) => await fillThread(store, thread, first + index)));
    }
    return filled;
  } finally {
    await store.close();
  }
}

/** @param {SqliteStore} store @param {FilledThread} thread @param {number} index */
async function fillThread(store, { id, events }, index) {
  const runId = newRunId();
  const createdAt = at(index * 60);
  const text = `Task ${index}: make the tests pass`;
  const dispatch = { id: newDispatchId(), threadId: id, text, actor: 'user:owner', request: { text, thread: id } };
  const outcome = /** @type {const} */ ({
    result: 'succeeded',
    exitCode: 0,
    retriable: false,
    execution: { kind: 'completed' },
    claim: 'done',
    verification: 'not_run',
  });
  await commit(store, [
    { do: 'insertThread', thread: threadRow({ id, path: `/work/${index % workspaces}`, createdAt, title: text }) },
    { do: 'insertRun', run: { id: runId, threadId: id, runtime: 'claude', posture: {}, startedAt: createdAt } },
    {
      do: 'insertDispatch',
      dispatch: { ...dispatch, state: 'ended', priority: 0, outcome, createdAt, endedAt: createdAt },
    },
  ]);
  for (let runSeq = 0; runSeq < events; runSeq += eventsInUnit) {
    const numbers = Array.from({ length: Math.min(eventsInUnit, events - runSeq) }, (_, each) => runSeq + each + 1);
    const told = numbers.map((number) => eventOf(number, at(index * 60 + number / 1000)));
    await commit(store, [{ do: 'appendEvents', threadId: id, runId, events: told }]);
  }
  const exit = { exitCode: 0, signal: null, oom: false };
  await commit(store, [{ do: 'patchRun', runId, patch: { endedAt: createdAt, exit } }]);
}

/** @param {SqliteStore} store @param {readonly import('../../dist/store/operation.js').Operation[]} operations */
async function commit(store, operations) {
  const done = await store.commit({ operations });
  if (!done.committed) throw new Error(`refused: ${JSON.stringify(done.refusal)}`);
}

/** Text, a tool call and its end, over and over, as an agent at work writes them. @param {number} runSeq @param {string} timestamp */
function eventOf(runSeq, timestamp) {
  const id = `tool-${Math.floor(runSeq / 3)}`;
  const body = [
    { type: 'assistant_text', content: `Step ${runSeq}. ${'word '.repeat(24)}\n\n` },
    { type: 'tool_start', id, tool: 'Bash', params: { command: `npm test -- --grep "case ${runSeq}"` } },
    { type: 'tool_end', id: `tool-${Math.floor((runSeq - 1) / 3)}`, tool: 'Bash', success: true, summary: 'ok', duration: 12 },
  ][(runSeq + 2) % 3];
  const type = body?.type ?? '';
  return { type, timestamp, runSeq, json: JSON.stringify({ ...body, timestamp, runSeq }) };
}

/** @param {number} seconds */
function at(seconds) {
  return new Date(start + seconds * 1000).toISOString();
}

/** The worker of a home writes its name there; so do we, for it to come back as the same. @param {string} home */
function workerIdOf(home) {
  const file = join(home, 'worker-id');
  const id = newId('worker', { now: () => Date.now(), randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)) });
  writeFileSync(file, `${id}\n`, { mode: 0o600 });
  return id;
}
