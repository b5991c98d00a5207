import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Host } from '../runner/host.js';
import { alternate, Comparison } from '../shared/comparison.js';
import { cpuSecondsOf, memoryOf } from '../shared/process-cost.js';
import { WorkerProcess } from '../shared/worker-process.js';
import { FollowedThread } from './followed-thread.js';

const bareFile = new URL('../runner/bare.js', import.meta.url).pathname;
const kinds = /** @type {const} */ (['bare SDK', 'worker']);
const letters = 20_000;

/**
 * Turns of the real Claude through worker and SSE, and of the bare script on its SDK, taking turns.
 * @param {{ folder: string, place: { cwd: string, env: Record<string, string> }, rounds: { warm: number, deltas: number, cold: number } }} given
 */
export async function measureTurns({ folder, place, rounds }) {
  const results = new Comparison(kinds);
  const worker = await WorkerProcess.start({ home: join(folder, 'turns'), env: place.env });
  try {
    await newThreads(results, { worker, folder, place, rounds: rounds.cold });
    const bare = new Host([bareFile], place);
    const { thread } = await FollowedThread.begin(worker, {
      text: '[[text first]]',
      cwd: folderOf(folder, 'warm'),
    });
    await bare.turn('[[text first]]');
    await warmTurns(results, { thread, bare, rounds: rounds.warm });
    await deltas(results, { worker, thread, bare, rounds: rounds.deltas });
    thread.close();
    await bare.close();
    return results;
  } finally {
    await worker.close();
  }
}

/** @param {Comparison} results @param {{ thread: FollowedThread, bare: Host, rounds: number }} given */
async function warmTurns(results, { thread, bare, rounds }) {
  await alternate(rounds, kinds, async (kind) => {
    if (kind === 'worker') {
      const seen = await thread.turn('[[text warm]]');
      results.record('warm turn: text seen, ms', kind, seen.lastTextMs);
      results.record('warm turn: result seen, ms', kind, seen.resultMs);
      results.record('warm turn: outcome seen, ms', kind, seen.outcomeMs);
      results.record('  of these, until the request is answered', kind, seen.postedMs);
      results.record('  of these, until the agent has the message', kind, seen.startMs);
    } else {
      const seen = await bare.turn('[[text warm]]');
      results.record('warm turn: text seen, ms', kind, seen.lastTextMs);
      results.record('warm turn: result seen, ms', kind, seen.ms);
      results.record('warm turn: outcome seen, ms', kind, seen.ms);
    }
  });
}

/** @param {Comparison} results @param {{ worker: WorkerProcess, thread: FollowedThread, bare: Host, rounds: number }} given */
async function deltas(results, { worker, thread, bare, rounds }) {
  await alternate(rounds, kinds, async (kind) => {
    if (kind === 'worker') {
      const cpuBefore = cpuSecondsOf(worker.pid);
      const seen = await thread.turn('[[deltas 5000 word]]');
      if (seen.text !== 'word'.repeat(letters / 4)) throw new Error(`saw ${seen.text.length} letters`);
      results.record('5,000 deltas: text seen, ms', kind, seen.lastTextMs);
      results.record('5,000 deltas: result seen, ms', kind, seen.resultMs);
      results.record('5,000 deltas: frames of text', kind, seen.textFrames);
      results.record('5,000 deltas: CPU seconds of the host', kind, cpuSecondsOf(worker.pid) - cpuBefore);
    } else {
      const seen = await bare.turn('[[deltas 5000 word]]');
      results.record('5,000 deltas: text seen, ms', kind, seen.lastTextMs);
      results.record('5,000 deltas: result seen, ms', kind, seen.ms);
      results.record('5,000 deltas: frames of text', kind, seen.deltas);
      results.record('5,000 deltas: CPU seconds of the host', kind, seen.cpu);
    }
  });
  results.record('after that, PSS MB', 'bare SDK', bare.memory().pss);
  results.record('after that, PSS MB', 'worker', memoryOf(worker.pid).pss);
}

/** @param {Comparison} results @param {{ worker: WorkerProcess, folder: string, place: { cwd: string, env: Record<string, string> }, rounds: number }} given */
async function newThreads(results, { worker, folder, place, rounds }) {
  await alternate(rounds, kinds, async (kind, round) => {
    if (kind === 'worker') {
      const cwd = folderOf(folder, `new-${round}`);
      await warmSpare(join(folder, 'turns'));
      const { thread, seen } = await FollowedThread.begin(worker, { text: '[[text hello]]', cwd });
      results.record('new thread: first text seen, ms', kind, seen.firstTextMs);
      await thread.stop();
    } else {
      const bare = new Host([bareFile], place);
      const seen = await bare.turn('[[text hello]]');
      results.record('new thread: first text seen, ms', kind, seen.firstTextSinceStart);
      await bare.close();
    }
  });
}

/** Waits until the spare runner has loaded, as it has in real life. @param {string} home */
async function warmSpare(home) {
  while (!readdirSync(join(home, 's')).some((name) => name.startsWith('spare-'))) await sleep(20);
}

/** @param {string} folder @param {string} name */
function folderOf(folder, name) {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}
