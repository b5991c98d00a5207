// A worker on a store with 10,000 threads and a million events, beside one on a store that holds little more than a
// page of each: how soon it is ready, how soon it answers, what it holds in memory. The pages read are equally long,
// so a ratio of 1 says that what lies around them costs nothing.
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alternate, Comparison } from '../shared/comparison.js';
import { fillStore } from '../shared/filled-store.js';
import { machine, machineLine } from '../shared/machine.js';
import { median } from '../shared/median.js';
import { WorkerProcess } from '../shared/worker-process.js';
import { measureReading } from './reading.js';
import { measureSharedWorkspaces } from './shared-workspaces.js';

const kinds = /** @type {const} */ (['page', 'full']);
const sizes = {
  page: { threads: 1000, longest: 500, others: 3 },
  full: { threads: 10_000, longest: 50_095, others: 95 },
};
const rounds = { ready: 9, reads: 25, commands: 7 };

/** @typedef {(typeof kinds)[number]} Kind */

const folder = await mkdtemp(join(tmpdir(), 'hr-scale-'));
const results = new Comparison(kinds);
try {
  const on = machine();
  console.log(machineLine(on));
  const filled = { page: await fill('page'), full: await fill('full') };
  const emptyReadyMs = await measureReady(filled);
  await measureReading(results, { filled, rounds });
  for (const kind of kinds) {
    const ms = await measureSharedWorkspaces(filled[kind].home);
    results.record('claim where others worked before, ms', kind, ms);
  }
  console.log();
  for (const line of results.lines()) console.log(line);
  const { load } = machine();
  console.log(
    `\nready on an empty store: ${emptyReadyMs.toFixed(1)} ms; load at the end ${load.join(' ')}\n`,
  );
  console.log(JSON.stringify({ machine: on, loadAtEnd: load, emptyReadyMs, results }));
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** @param {Kind} kind */
async function fill(kind) {
  const home = join(folder, kind);
  const startedAt = performance.now();
  const threads = await fillStore(home, sizes[kind]);
  const seconds = (performance.now() - startedAt) / 1000;
  const events = threads.reduce((sum, thread) => sum + thread.events, 0);
  const megabytes = (await stat(join(home, 'store.db'))).size / 1e6;
  console.log(
    `${kind}: ${threads.length} threads, ${events} events, ${megabytes.toFixed(0)} MB, filled in ${seconds.toFixed(1)} s`,
  );
  return { home, threads };
}

/** @param {Record<Kind, { home: string }>} filled */
async function measureReady(filled) {
  const empty = join(folder, 'empty');
  /** @type {number[]} */
  const emptyMs = [];
  await alternate(rounds.ready, /** @type {const} */ (['page', 'full', 'empty']), async (kind) => {
    const home = kind === 'empty' ? empty : filled[kind].home;
    const worker = await WorkerProcess.start({ home, env: { HANDRAISE_KEEP_SPARE: 'false' } });
    if (kind === 'empty') emptyMs.push(worker.readyMs);
    else results.record('ready, ms', kind, worker.readyMs);
    await worker.close();
  });
  return median(emptyMs);
}
