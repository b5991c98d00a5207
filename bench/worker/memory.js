import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryOf } from '../shared/process-cost.js';
import { WorkerProcess } from '../shared/worker-process.js';
import { FollowedThread } from './followed-thread.js';

const agents = 8;
const settleMs = 2000;

/**
 * What the worker's process holds: alone, with eight idle agents, and after each of them wrote 1,000 deltas at once.
 * @param {string} folder @param {Record<string, string>} env
 */
export async function measureMemory(folder, env) {
  const worker = await WorkerProcess.start({
    home: join(folder, 'memory'),
    env,
    args: ['--slots', String(agents)],
  });
  try {
    const idle = await settled(worker);
    const threads = await Promise.all(
      Array.from({ length: agents }, async (_, index) => {
        const cwd = join(folder, `agent-${index}`);
        mkdirSync(cwd);
        return (await FollowedThread.begin(worker, { text: '[[text hello]]', cwd })).thread;
      }),
    );
    const withAgents = await settled(worker);
    const startedAt = performance.now();
    await Promise.all(threads.map(async (thread) => await thread.turn('[[deltas 1000 word]]')));
    const deltasMs = performance.now() - startedAt;
    const afterDeltas = await settled(worker);
    for (const thread of threads) thread.close();
    return { idle, withAgents, afterDeltas, deltasMs };
  } finally {
    await worker.close();
  }
}

/** @param {WorkerProcess} worker */
async function settled(worker) {
  // Two seconds for the collector; there is no condition to wait for.
  await sleep(settleMs);
  return memoryOf(worker.pid);
}
