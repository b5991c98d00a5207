// A worker as a process of its own, told by lines on stdin, so that a test can kill it at any moment.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ThreadBook } from '../../dist/host/thread-book.js';
import { Worker } from '../../dist/host/worker.js';
import { Failure, newId } from '../../dist/protocol/index.js';
import { SqliteStore } from '../../dist/store/sqlite/sqlite-store.js';

const {
  home,
  workerId,
  runner,
  env,
  keepSpare,
  quiet = false,
  ...start
} = JSON.parse(process.argv[2] ?? '{}');
/** @param {object} value */
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const source = { now: Date.now, randomBytes };

const store = await SqliteStore.open({
  file: join(home, 'store.db'),
  worker: { id: workerId, name: 'test', startedAt: new Date().toISOString() },
});
// A disk that is full for a while: so many commits of events fail, with what the real store says then.
let failures = start.failCommits ?? 0;
const commit = store.commit.bind(store);
store.commit = async (unit) => {
  if (unit.operations[0]?.do !== 'appendEvents' || failures-- <= 0) return await commit(unit);
  throw new Failure('unavailable', 'The disk is full.');
};
/** @type {{ name: string, after: number } | null} */
let killAt = start.killAt ?? null;
const worker = await Worker.open({
  store,
  home,
  runner,
  env,
  now: Date.now,
  log: (line) => process.stderr.write(`${line}\n`),
  book: new ThreadBook(store, Date.now),
  newRunId: () => newId('run', source),
  savedSession: async () => undefined,
  asking: { newId: () => newId('prompt', source), unanswered: {} },
  ...(keepSpare ? { keepSpare } : {}),
  aside: (_run, { type }) => {
    if (type === 'command_repeated') say({ aside: type });
  },
  // A real kill, at the very moment, with nothing flushed.
  failpoint: (name) => {
    if (name === killAt?.name && --killAt.after <= 0) process.kill(process.pid, 'SIGKILL');
  },
  recorded: (run, lines) => {
    if (!quiet)
      say({ recorded: run.id, lines: lines.map(({ seq, text }) => ({ seq, ...JSON.parse(text) })) });
  },
});
say({ opened: store.worker.epoch, runs: worker.runs.map(({ run }) => run.id) });

// Orders are carried out side by side, as requests of a real host are; an answer names the order's id.
/** @type {Promise<void>[]} */
const underway = [];
for await (const line of createInterface({ input: process.stdin })) {
  const { id, ...order } = JSON.parse(line);
  underway.push(
    (async () => {
      say({ ...(await obey(order)), id });
    })(),
  );
}
await Promise.all(underway);
await worker[Symbol.asyncDispose]();
await store.close();

/** @param {any} order @returns {Promise<object>} */
async function obey(order) {
  switch (order.do) {
    case 'thread':
      await store.commit({ operations: [{ do: 'insertThread', thread: order.thread }] });
      return { thread: order.thread.id };
    case 'start': {
      const watch = await worker.start(order.request);
      return { started: watch.run.id, threadId: order.request.threadId };
    }
    case 'resume': {
      const { run } = await worker.resume(order.runId);
      return { resumed: run.id, posture: run.posture };
    }
    case 'amend':
      await worker.amend(order.runId, order.change);
      return { amended: order.runId };
    case 'send':
      return {
        sent: worker.watch(order.runId)?.send(order.command) ?? false,
        commandId: order.command.commandId,
      };
    case 'events': {
      const { threadId, after, limit = 1000 } = order;
      const events = await store.query('events', { threadId, limit, after });
      return {
        events: events.map(({ seq, runSeq, json }) => ({ seq, runSeq, ...JSON.parse(json) })),
        threadId,
      };
    }
    case 'run':
      return { run: await store.query('run', { id: order.runId }) };
    case 'runs':
      return { runs: (await store.query('runs', { threadId: order.threadId })).rows };
    case 'end':
      await worker.end(order.runId, 'test');
      return { ended: order.runId };
    case 'arm':
      killAt = order.killAt;
      return { armed: killAt?.name ?? null };
    default:
      throw new Error(`unknown order ${order.do}`);
  }
}
