// The worker under measurement, a process of its own: takes up the runs it is given and tells what it costs.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { SecretAnswers } from '../../dist/host/prompts/secret-answers.js';
import { assembleRuns } from '../../dist/host/runs/assemble-runs.js';
import { ThreadChanges } from '../../dist/host/threads/thread-changes.js';
import { newId } from '../../dist/protocol/index.js';
import { SqliteStore } from '../../dist/store/sqlite/sqlite-store.js';
import { bareEnvironment } from '../../test/host/bare-environment.js';

const {
  home,
  runs,
  identity,
  runner = { file: '', args: [] },
  env = {},
  keepSpare,
} = JSON.parse(process.argv[2] ?? '{}');
/** @param {object} value */
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const source = { now: () => Date.now(), randomBytes };
const startedAt = new Date().toISOString();

const store = await SqliteStore.open({
  file: join(home, 'store.db'),
  worker: { id: newId('worker', source), name: 'bench', startedAt },
});
for (const { runId, threadId, workspace } of runs) await addRun(runId, threadId, workspace);
const environment = bareEnvironment({ keepSpare });
const changes = new ThreadChanges(store, environment.clock);
const { runners, supervisor } = assembleRuns(
  {
    store,
    home,
    runner,
    env,
    ...environment,
    failpoint: () => {},
  },
  {
    changes,
    secretAnswers: new SecretAnswers(),
    liveText: {
      publishTransient: (_threadId, { type }) => {
        if (type === 'text_delta') say({ text: true });
      },
    },
  },
);
await supervisor.open();

/** When a subscriber heard of which number. @type {[string, number, number][]} */
let heard = [];
let isListening = false;
void listen();
const delay = monitorEventLoopDelay({ resolution: 1 });
say({ opened: true });

for await (const line of createInterface({ input: process.stdin })) {
  const { order, ...given } = JSON.parse(line);
  if (order === 'begin') {
    heard = [];
    isListening = true;
    delay.reset();
    delay.enable();
    say({ ...(await store.statistics()) });
  } else if (order === 'report') {
    delay.disable();
    isListening = false;
    say({ ...(await store.statistics()), loop: delay.percentile(99) / 1e6, memory: memory(), heard });
  } else if (order === 'start') {
    const { threadId, cwd, content } = given;
    await addThread(threadId, cwd);
    const run = await supervisor.start({ threadId, runtime: 'claude', cwd, posture: {} });
    while (!runners.send(run.id, { type: 'message', content, commandId: `${threadId}-1` }))
      await new Promise((resolve) => setTimeout(resolve, 2));
    say({ started: run.id });
  } else if (order === 'end') {
    await supervisor.end(given.runId, 'bench');
    say({ ended: true });
  }
}
await supervisor[Symbol.asyncDispose]();
await store.close();
process.exit(0);

async function listen() {
  for await (const notice of store.subscribe({ topics: ['events'], capacity: 100_000 })) {
    if (isListening && notice.topic === 'events')
      heard.push([notice.threadId, notice.seq, Number(process.hrtime.bigint()) / 1e6]);
  }
}

/** @param {any} runId @param {any} threadId @param {string} workspace */
async function addRun(runId, threadId, workspace) {
  await addThread(threadId, workspace);
  const run = {
    id: runId,
    threadId,
    runtime: /** @type {const} */ ('claude'),
    posture: {},
    startedAt,
    process: identity,
  };
  await store.commit({ operations: [{ do: 'insertRun', run }] });
}

/** @param {any} threadId @param {string} workspace */
async function addThread(threadId, workspace) {
  await store.commit({
    operations: [
      {
        do: 'insertThread',
        thread: {
          id: threadId,
          title: 'Bench',
          runtime: 'claude',
          workspace: { path: workspace },
          status: { state: 'idle', why: 'bench', source: 'bench', confidence: 'weak' },
          createdAt: startedAt,
          launch: { permissions: 'approval', posture: {} },
        },
      },
    ],
  });
}

function memory() {
  const rollup = readFileSync('/proc/self/smaps_rollup', 'utf8');
  const megabytes = (/** @type {string} */ name) =>
    Number(rollup.match(new RegExp(`^${name}:\\s+(\\d+)`, 'm'))?.[1]) / 1000;
  return { rss: megabytes('Rss'), pss: megabytes('Pss') };
}
