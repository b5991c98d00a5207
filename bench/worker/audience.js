import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { alternate, Comparison } from '../shared/comparison.js';
import { cpuSecondsOf, memoryOf } from '../shared/process-cost.js';
import { WorkerProcess } from '../shared/worker-process.js';
import { FollowedThread } from './followed-thread.js';

const kinds = /** @type {const} */ (['1 follower', '200 followers']);
const others = 199;

/**
 * What it costs that 200 clients follow a thread whose agent writes 5,000 deltas.
 * @param {{ folder: string, env: Record<string, string>, rounds: number }} given
 */
export async function measureAudience({ folder, env, rounds }) {
  const results = new Comparison(kinds);
  const worker = await WorkerProcess.start({ home: join(folder, 'audience'), env });
  try {
    const cwd = join(folder, 'watched');
    mkdirSync(cwd);
    const { thread } = await FollowedThread.begin(worker, { text: '[[text first]]', cwd });
    await alternate(rounds, kinds, async (kind) => {
      const audience = kind === '1 follower' ? [] : await followers(worker, thread.id);
      const cpuBefore = cpuSecondsOf(worker.pid);
      const seen = await thread.turn('[[deltas 5000 word]]');
      results.record('5,000 deltas: text seen, ms', kind, seen.textMs);
      results.record('5,000 deltas: outcome seen, ms', kind, seen.outcomeMs);
      results.record('CPU seconds of the worker', kind, cpuSecondsOf(worker.pid) - cpuBefore);
      results.record('memory of the worker, PSS MB', kind, memoryOf(worker.pid).pss);
      await Promise.all(audience.map(async (follower) => await follower.end()));
    });
    thread.close();
    return results;
  } finally {
    await worker.close();
  }
}

/** @param {WorkerProcess} worker @param {string} threadId */
async function followers(worker, threadId) {
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${worker.token}` };
  const { lastSeq } = JSON.parse(await worker.read(`/threads/${threadId}`));
  const url = `${worker.url}/api/v1/threads/${threadId}/events?live=1&after=${lastSeq}`;
  return await Promise.all(Array.from({ length: others }, () => follower(url, headers)));
}

/** A client that reads everything, and is done once it has seen the outcome. @param {string} url @param {Record<string, string>} headers */
async function follower(url, headers) {
  const request = get(url, { headers, agent: false });
  const [response] = await once(request, 'response');
  const ended = new Promise((resolve) => {
    let tail = '';
    response.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      tail = `${tail}${text}`.slice(-4096);
      if (tail.includes('event: dispatch_ended')) resolve(undefined);
    });
  });
  return {
    async end() {
      await ended;
      request.destroy();
    },
  };
}
