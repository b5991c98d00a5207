// A worker as a process of its own, told by lines on stdin, so that a test can kill it at any moment.
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sealedPosture } from '../../dist/domain/dispatch/sealed-posture.js';
import { SecretAnswers } from '../../dist/host/prompts/secret-answers.js';
import { assembleRuns } from '../../dist/host/runs/assemble-runs.js';
import { ThreadChanges } from '../../dist/host/threads/thread-changes.js';
import { Failure } from '../../dist/protocol/index.js';
import { SqliteStore } from '../../dist/store/sqlite/sqlite-store.js';
import { bareEnvironment } from './bare-environment.js';

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
const environment = bareEnvironment({ keepSpare });
const changes = new ThreadChanges(store, environment.clock);
const { runners, supervisor } = assembleRuns(
  {
    store,
    home,
    runner,
    env,
    ...environment,
    // A real kill, at the very moment, with nothing flushed.
    failpoint: (name) => {
      if (killAt && name === killAt.name && --killAt.after <= 0) process.kill(process.pid, 'SIGKILL');
    },
  },
  {
    changes,
    secretAnswers: new SecretAnswers(),
    liveText: {
      publishTransient: (_threadId, { type }) => {
        if (type === 'command_repeated') say({ transient: type });
      },
    },
  },
);
changes.listen(({ events }) => {
  const ofRunner = events.filter(({ runSeq }) => runSeq !== null);
  if (quiet || ofRunner.length === 0) return;
  const lines = ofRunner.map(({ runSeq, json }) => ({ seq: runSeq, ...JSON.parse(json) }));
  say({ recorded: ofRunner[0]?.runId, lines });
});
await supervisor.open();
say({ opened: store.worker.epoch, runs: supervisor.runs.map(({ id }) => id) });

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
await supervisor[Symbol.asyncDispose]();
await store.close();

/** @param {any} order @returns {Promise<object>} */
async function obey(order) {
  switch (order.do) {
    case 'thread':
      await store.commit({ operations: [{ do: 'insertThread', thread: order.thread }] });
      return { thread: order.thread.id };
    case 'start': {
      const run = await supervisor.start(order.request);
      return { started: run.id, threadId: order.request.threadId };
    }
    case 'resume': {
      const run = await resumed(order.runId);
      return { resumed: run.id, posture: run.posture };
    }
    case 'amend':
      await supervisor.amend(order.runId, order.change);
      return { amended: order.runId };
    case 'send':
      return {
        sent: runners.send(order.runId, order.command),
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
      await supervisor.end(order.runId, 'test');
      return { ended: order.runId };
    case 'arm':
      killAt = order.killAt;
      return { armed: killAt?.name ?? null };
    default:
      throw new Error(`unknown order ${order.do}`);
  }
}

/** Goes on with the session of a run that has ended, with exactly the posture that it had in the end. @param {any} runId */
async function resumed(runId) {
  const run = await store.query('run', { id: runId });
  const thread = run && (await store.query('thread', { id: run.threadId }));
  if (!run?.sessionId || !thread) throw new Error(`${runId} has no session to go on with`);
  return await supervisor.start({
    threadId: run.threadId,
    runtime: run.runtime,
    cwd: thread.workspace.path,
    posture: sealedPosture(run),
    resume: run.sessionId,
  });
}
