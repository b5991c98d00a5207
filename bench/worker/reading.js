import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { alternate } from '../shared/comparison.js';
import { memoryOf } from '../shared/process-cost.js';
import { WorkerProcess, workerEnvironment } from '../shared/worker-process.js';

const kinds = /** @type {const} */ (['page', 'full']);
const command = new URL('../../bin/handraise.js', import.meta.url).pathname;

/** @typedef {(typeof kinds)[number]} Kind */
/** @typedef {{ home: string, threads: import('../shared/filled-store.js').FilledThread[] }} Filled */

/**
 * Pages of threads, events and items over HTTP, `handraise ls`, and what the worker holds before and after.
 * @param {import('../shared/comparison.js').Comparison} results
 * @param {{ filled: Record<Kind, Filled>, rounds: { reads: number, commands: number } }} given
 */
export async function measureReading(results, { filled, rounds }) {
  const env = { HANDRAISE_KEEP_SPARE: 'false' };
  const workers = {
    page: await WorkerProcess.start({ home: filled.page.home, env }),
    full: await WorkerProcess.start({ home: filled.full.home, env }),
  };
  try {
    const remember = (/** @type {string} */ when) => {
      for (const kind of kinds)
        results.record(`memory ${when}, PSS MB`, kind, memoryOf(workers[kind].pid).pss);
    };
    remember('at the start');
    const paths = {
      page: await pathsOf(workers.page, filled.page),
      full: await pathsOf(workers.full, filled.full),
    };
    for (const name of pathNames) {
      // What a fresh process still compiles is not the page's.
      for (const kind of kinds) await workers[kind].read(paths[kind][name]);
      await alternate(rounds.reads, kinds, async (kind) => {
        results.record(`${name}, ms`, kind, await timed(workers[kind].read(paths[kind][name])));
      });
    }
    for (const args of [['ls'], ['ls', '--json']]) {
      await alternate(rounds.commands, kinds, async (kind) => {
        const running = handraise(filled[kind].home, args);
        results.record(`handraise ${args.join(' ')}, ms`, kind, await timed(running));
      });
    }
    remember('after that');
    for (const kind of kinds) await readWhole(workers[kind], filled[kind]);
    remember('after reading all');
  } finally {
    for (const kind of kinds) await workers[kind].close();
  }
}

const pathNames = /** @type {const} */ ([
  '100 threads, newest',
  '100 threads, in the middle',
  '500 events, first',
  '500 events, last',
  '200 items, first',
  '200 items, last',
]);

/** @param {WorkerProcess} worker @param {Filled} filled @returns {Promise<Record<(typeof pathNames)[number], string>>} */
async function pathsOf(worker, { threads }) {
  const [longest] = threads;
  if (!longest) throw new Error('nothing was filled');
  const before = `/threads?order=newest_first&limit=${Math.min(1000, threads.length / 2)}`;
  let cursor = '';
  for (let read = 0; read < threads.length / 2; read += 1000) {
    cursor = JSON.parse(await worker.read(cursor ? `${before}&cursor=${cursor}` : before)).next;
  }
  const thread = `/threads/${longest.row.id}`;
  return {
    '100 threads, newest': '/threads?order=newest_first&limit=100',
    '100 threads, in the middle': `/threads?order=newest_first&limit=100&cursor=${cursor}`,
    '500 events, first': `${thread}/events?limit=500`,
    '500 events, last': `${thread}/events?limit=500&after=${longest.events - 500}`,
    '200 items, first': `${thread}/items?limit=200`,
    // Of three events one is text and two are a tool call, which is two items.
    '200 items, last': `${thread}/items?limit=200&after=${longest.events - 300}`,
  };
}

/** Every page of threads, and of the longest one every page of events and of items. @param {WorkerProcess} worker @param {Filled} filled */
async function readWhole(worker, { threads }) {
  await readPages(worker, '/threads?limit=1000', 'cursor');
  await readPages(worker, `/threads/${threads[0]?.row.id}/events?limit=500`, 'after');
  await readPages(worker, `/threads/${threads[0]?.row.id}/items?limit=200`, 'after');
}

/** @param {WorkerProcess} worker @param {string} path @param {string} parameter */
async function readPages(worker, path, parameter) {
  for (let next; ; ) {
    ({ next } = JSON.parse(await worker.read(next === undefined ? path : `${path}&${parameter}=${next}`)));
    if (next === undefined) return;
  }
}

/** @param {string} home @param {string[]} args */
async function handraise(home, args) {
  await promisify(execFile)(process.execPath, [command, ...args], {
    env: workerEnvironment(home),
    maxBuffer: 2 ** 26,
  });
}

/** @param {Promise<unknown>} act */
async function timed(act) {
  const startedAt = performance.now();
  await act;
  return performance.now() - startedAt;
}
