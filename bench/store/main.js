// Durable events per second, latency and the main thread's event-loop delay: the store beside raw libsql on the main
// thread, with one transaction per event and with group commit. All on the same disk, taking turns in one run;
// absolute numbers are this machine's and swing with its load, so read the ratios.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { newId } from '../../dist/protocol/id.js';
import { SqliteStore } from '../../dist/store/sqlite/sqlite-store.js';
import { RawLog, text } from './raw-log.js';

const rounds = 5;
const seconds = 2;
const producers = 10;

/**
 * A way to append events durably; `append` resolves once they are on disk.
 * @typedef {{ append(producer: number, count: number): Promise<void>, commits(): Promise<number>, close(): Promise<void> }} Log
 */

/** @type {Record<string, (file: string) => Promise<Log>>} */
const kinds = {
  'libsql, one by one': async (file) => new RawLog(file, { grouped: false }),
  'libsql, grouped': async (file) => new RawLog(file, { grouped: true }),
  store: openStore,
};
const loads = [
  { name: 'one unit in flight', batch: 1, inFlight: 1 },
  { name: '64 units in flight', batch: 1, inFlight: 64 },
  { name: '8 units of 10 events', batch: 10, inFlight: 8 },
];

const source = { now: () => Date.now(), randomBytes };
const folder = await mkdtemp(join(tmpdir(), 'handraise-bench-store-'));
try {
  console.log(
    `${producers} producers, each unit acknowledged after its sync (synchronous=FULL); ${rounds} rounds of ${seconds} s, medians`,
  );
  console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`);
  console.log(`event-loop delay p99 of this process while idle: ${(await idleDelay()).toFixed(2)} ms\n`);
  for (const load of loads) await compare(load);
} finally {
  await rm(folder, { recursive: true });
}

/** @typedef {{ events: number, p50: number, p99: number, loop: number, commits: number }} Sample */

/** @param {(typeof loads)[number]} load */
async function compare(load) {
  /** @type {Map<string, Sample[]>} */
  const samples = new Map(Object.keys(kinds).map((kind) => [kind, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [kind, open] of Object.entries(kinds)) {
      const log = await open(join(folder, `${kind}-${load.name}-${round}`, 'bench.db'));
      samples.get(kind)?.push(await measure(log, load));
      await log.close();
    }
  }
  print(load.name, samples);
}

/** @param {Log} log @param {(typeof loads)[number]} load @returns {Promise<Sample>} */
async function measure(log, { batch, inFlight }) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  /** @type {number[]} */
  const latencies = [];
  const commitsBefore = await log.commits();
  const start = performance.now();
  delay.enable();
  await Promise.all(
    Array.from({ length: producers * inFlight }, async (_, index) => {
      while (performance.now() - start < seconds * 1000) {
        const asked = performance.now();
        await log.append(index % producers, batch);
        latencies.push(performance.now() - asked);
        // An event comes from a socket, so the loop goes round between two of one producer.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }),
  );
  delay.disable();
  const elapsed = (performance.now() - start) / 1000;
  latencies.sort((a, b) => a - b);
  return {
    events: (latencies.length * batch) / elapsed,
    p50: at(latencies, 0.5),
    p99: at(latencies, 0.99),
    loop: delay.percentile(99) / 1e6,
    commits: ((await log.commits()) - commitsBefore) / elapsed,
  };
}

/** @param {string} load @param {Map<string, Sample[]>} samples */
function print(load, samples) {
  const columns = /** @type {const} */ (['events', 'p50', 'p99', 'loop', 'commits']);
  console.log(
    `${load.padEnd(22)}${'events/s'.padStart(11)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}${'loop p99 ms'.padStart(13)}${'commits/s'.padStart(11)}${'× one by one'.padStart(14)}`,
  );
  let baseline = Number.NaN;
  for (const [kind, each] of samples) {
    const [events = 0, p50 = 0, p99 = 0, loop = 0, commits = 0] = columns.map((column) =>
      median(each.map((sample) => sample[column])),
    );
    if (Number.isNaN(baseline)) baseline = events;
    console.log(
      `${kind.padEnd(22)}${events.toFixed(0).padStart(11)}${p50.toFixed(2).padStart(9)}${p99.toFixed(2).padStart(9)}${(loop === 0 ? 'stalled' : loop.toFixed(2)).padStart(13)}${commits.toFixed(0).padStart(11)}${(events / baseline).toFixed(1).padStart(14)}`,
    );
  }
  console.log();
}

async function idleDelay() {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  delay.disable();
  return delay.percentile(99) / 1e6;
}

/** @param {string} file @returns {Promise<Log>} */
async function openStore(file) {
  const worker = { id: newId('worker', source), name: 'bench', startedAt: new Date().toISOString() };
  const store = await SqliteStore.open({ file, worker });
  const runs = await Promise.all(Array.from({ length: producers }, () => aRun(store)));
  return {
    async append(producer, count) {
      const run = runs[producer];
      if (!run) throw new Error(`no producer ${producer}`);
      const timestamp = new Date().toISOString();
      const events = Array.from({ length: count }, () => {
        run.runSeq += 1;
        return { type: 'assistant_text', timestamp, runSeq: run.runSeq, json: text };
      });
      const { committed } = await store.commit({
        operations: [{ do: 'appendEvents', threadId: run.threadId, runId: run.runId, events }],
      });
      if (!committed) throw new Error('refused');
    },
    commits: async () => (await store.statistics()).commits,
    close: () => store.close(),
  };
}

/** @param {SqliteStore} store */
async function aRun(store) {
  const [threadId, runId] = [newId('thread', source), newId('run', source)];
  const now = new Date().toISOString();
  await store.commit({
    operations: [
      {
        do: 'insertThread',
        thread: {
          id: threadId,
          title: 'Bench',
          runtime: 'claude',
          workspace: { path: `/${threadId}` },
          status: { state: 'idle', why: 'bench', source: 'bench', confidence: 'weak' },
          createdAt: now,
          launch: { permissions: 'approval', posture: {} },
        },
      },
      { do: 'insertRun', run: { id: runId, threadId, runtime: 'claude', posture: {}, startedAt: now } },
    ],
  });
  return { threadId, runId, runSeq: 0 };
}

/** @param {number[]} sorted @param {number} share */
function at(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** @param {number[]} values */
function median(values) {
  return at(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}
