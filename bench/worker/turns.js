import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Host } from '../runner/host.js';
import { alternate, Comparison } from '../shared/comparison.js';
import { cpuSecondsOf, memoryOf } from '../shared/process-cost.js';
import { warmSpare } from '../shared/warm-spare.js';
import { WorkerProcess } from '../shared/worker-process.js';
import { FollowedThread } from './followed-thread.js';

const bareFile = new URL('../runner/bare.js', import.meta.url).pathname;
const kinds = /** @type {const} */ (['bare SDK', 'worker']);
const restMs = 50;

/** @typedef {{ cwd: string, env: Record<string, string> }} Place */
/** @typedef {{ startMs?: number, textMs: number, resultMs: number, outcomeMs: number, frames: number, letters: number, cpu: number }} Turn */

/**
 * Turns of the real Claude through worker and SSE, and of the bare script on its SDK, taking turns.
 * @param {{ folder: string, place: Place, rounds: { warm: number, deltas: number, cold: number } }} given
 */
export async function measureTurns({ folder, place, rounds }) {
  const results = new Comparison(kinds);
  const home = join(folder, 'turns');
  const worker = await WorkerProcess.start({ home, env: place.env });
  try {
    await alternate(rounds.cold, kinds, async (kind, round) => {
      const cwd = folderOf(folder, `${kind}-${round}`);
      const ms =
        kind === 'worker' ? await newThread(worker, { home, cwd }) : await newScript({ ...place, cwd });
      results.record('new thread: first text seen, ms', kind, ms);
    });
    const cwd = folderOf(folder, 'warm');
    const { thread } = await FollowedThread.begin(worker, { text: '[[text first]]', cwd });
    const bare = new Host([bareFile], place);
    await bare.turn('[[text first]]');
    const turns = {
      'bare SDK': (/** @type {string} */ text) => bareTurn(bare, text),
      worker: (/** @type {string} */ text) => workerTurn({ worker, thread }, text),
    };
    await alternate(rounds.warm, kinds, async (kind) => {
      const { startMs, textMs, resultMs, outcomeMs } = await turns[kind]('[[text warm]]');
      if (startMs !== undefined) results.record('warm turn: the agent has the message, ms', kind, startMs);
      results.record('warm turn: text seen, ms', kind, textMs);
      results.record('warm turn: result seen, ms', kind, resultMs);
      results.record('warm turn: outcome seen, ms', kind, outcomeMs);
      // What a turn leaves to be done is not the next one's.
      await sleep(restMs);
    });
    await alternate(rounds.deltas, kinds, async (kind) => {
      const { letters, textMs, resultMs, frames, cpu } = await turns[kind]('[[deltas 5000 word]]');
      if (letters !== 20_000) throw new Error(`${kind} showed ${letters} of 20,000 letters`);
      results.record('5,000 deltas: text seen, ms', kind, textMs);
      results.record('5,000 deltas: result seen, ms', kind, resultMs);
      results.record('5,000 deltas: frames of text', kind, frames);
      results.record('5,000 deltas: CPU seconds of the host', kind, cpu);
      await sleep(restMs);
    });
    results.record('after that, PSS MB', 'bare SDK', bare.memory().pss);
    results.record('after that, PSS MB', 'worker', memoryOf(worker.pid).pss);
    thread.close();
    await bare.close();
    return results;
  } finally {
    await worker.close();
  }
}

/** @param {Host} bare @param {string} text @returns {Promise<Turn>} */
async function bareTurn(bare, text) {
  const { ms, lastTextMs, deltas, letters, cpu } = await bare.turn(text);
  return { textMs: lastTextMs, resultMs: ms, outcomeMs: ms, frames: deltas, letters, cpu };
}

/** @param {{ worker: WorkerProcess, thread: FollowedThread }} given @param {string} text @returns {Promise<Turn>} */
async function workerTurn({ worker, thread }, text) {
  const cpuBefore = cpuSecondsOf(worker.pid);
  const seen = await thread.turn(text);
  return { ...seen, letters: seen.text.length, cpu: cpuSecondsOf(worker.pid) - cpuBefore };
}

/** @param {WorkerProcess} worker @param {{ home: string, cwd: string }} where */
async function newThread(worker, { home, cwd }) {
  await warmSpare(join(home, 's'));
  const { thread, seen } = await FollowedThread.begin(worker, { text: '[[text hello]]', cwd });
  await thread.stop();
  return seen.firstTextMs;
}

/** @param {Place} place */
async function newScript(place) {
  const bare = new Host([bareFile], place);
  const { firstTextSinceStart } = await bare.turn('[[text hello]]');
  await bare.close();
  return firstTextSinceStart;
}

/** @param {string} folder @param {string} name */
function folderOf(folder, name) {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}
