import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteStore } from '../../dist/store/sqlite/sqlite-store.js';
import { benchWorker, newRunId, queuedRow, threadRow } from './rows.js';

/** Every thread of a filled store works in one of so many places. */
export const workspaces = 20;

const threadsAtOnce = 50;
const eventsInUnit = 500;
const start = Date.parse('2026-01-01T00:00:00.000Z');

/** @typedef {{ row: ReturnType<typeof threadRow>, events: number }} FilledThread */

/**
 * Fills the store of a new home through its port: threads with an ended run and ended work each, the oldest of them
 * long. A worker may open the home afterwards.
 * @param {string} home @param {{ threads: number, longest: number, others: number }} size how many threads, and events in each
 * @returns {Promise<FilledThread[]>} oldest first
 */
export async function fillStore(home, { threads, longest, others }) {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const store = await SqliteStore.open({ file: join(home, 'store.db'), worker: benchWorker() });
  try {
    const filled = Array.from({ length: threads }, (_, index) => ({
      row: rowOf(index),
      events: index === 0 ? longest : others,
    }));
    for (let first = 0; first < threads; first += threadsAtOnce) {
      const part = filled.slice(first, first + threadsAtOnce);
      await commit(
        store,
        part.map(({ row }) => ({ do: 'insertThread', thread: row })),
      );
      await Promise.all(part.map(async (thread) => await fillThread(store, thread)));
    }
    return filled;
  } finally {
    await store.close();
  }
}

/** @param {number} index */
function rowOf(index) {
  const createdAt = new Date(start + index * 60_000).toISOString();
  return threadRow({
    path: `/work/${index % workspaces}`,
    createdAt,
    title: `Task ${index}: make the tests pass`,
  });
}

/** @param {SqliteStore} store @param {FilledThread} thread */
async function fillThread(store, { row, events }) {
  const { id: threadId, title, createdAt } = row;
  const runId = newRunId();
  const work = { ...queuedRow({ threadId, createdAt, text: title }), state: /** @type {const} */ ('ended') };
  await commit(store, [
    { do: 'insertRun', run: { id: runId, threadId, runtime: 'claude', posture: {}, startedAt: createdAt } },
    { do: 'insertDispatch', dispatch: { ...work, outcome: succeeded, endedAt: createdAt } },
  ]);
  const began = Date.parse(createdAt);
  for (let done = 0; done < events; done += eventsInUnit) {
    const batch = Array.from({ length: Math.min(eventsInUnit, events - done) }, (_, place) =>
      eventOf(done + place + 1, new Date(began + done + place).toISOString()),
    );
    await commit(store, [{ do: 'appendEvents', threadId, runId, events: batch }]);
  }
  const exit = { exitCode: 0, signal: null, oom: false };
  await commit(store, [{ do: 'patchRun', runId, patch: { endedAt: createdAt, exit } }]);
}

const succeeded = /** @type {const} */ ({
  result: 'succeeded',
  exitCode: 0,
  retriable: false,
  execution: { kind: 'completed' },
  claim: 'success',
  verification: 'not_run',
});

/** Text, a tool call and its end, over and over, as an agent at work tells them. @param {number} runSeq @param {string} timestamp */
function eventOf(runSeq, timestamp) {
  const step = Math.floor((runSeq - 1) / 3);
  const id = `tool-${step}`;
  const bodies = /** @type {const} */ ([
    { type: 'assistant_text', content: `Step ${step}: ${'word '.repeat(24)}\n\n` },
    { type: 'tool_start', id, tool: 'Bash', params: { command: `npm test -- "step ${step}"` } },
    { type: 'tool_end', id, tool: 'Bash', success: true, summary: 'ok', duration: 12 },
  ]);
  const body = bodies[(runSeq - 1) % 3] ?? bodies[0];
  return { type: body.type, timestamp, runSeq, json: JSON.stringify({ ...body, timestamp, runSeq }) };
}

/** @param {SqliteStore} store @param {readonly import('../../dist/store/operation.js').Operation[]} operations */
async function commit(store, operations) {
  const done = await store.commit({ operations });
  if (!done.committed) throw new Error(`refused: ${JSON.stringify(done.refusal)}`);
}
