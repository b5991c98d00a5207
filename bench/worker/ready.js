import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { alternate, Comparison } from '../shared/comparison.js';
import { WorkerProcess } from '../shared/worker-process.js';

const kinds = /** @type {const} */ (['node -e 0', 'worker']);
const command = new URL('../../bin/handraise.js', import.meta.url).pathname;

/**
 * From the spawn of `handraise up` to its word that it is ready, beside a Node that does nothing at all.
 * @param {string} folder @param {number} rounds
 */
export async function measureReady(folder, rounds) {
  const results = new Comparison(kinds);
  // The first ones fill the file cache, for both.
  await ended(['-e', '0']);
  await ready(join(folder, 'known'));
  await alternate(rounds, kinds, async (kind, round) => {
    if (kind === 'worker') {
      results.record('ready, new home, ms', kind, await ready(join(folder, `new-home-${round}`)));
      results.record('ready, home of before, ms', kind, await ready(join(folder, 'known')));
      results.record('handraise --version, ms', kind, await ended([command, '--version']));
    } else {
      const ms = await ended(['-e', '0']);
      results.record('ready, new home, ms', kind, ms);
      results.record('ready, home of before, ms', kind, ms);
      results.record('handraise --version, ms', kind, ms);
    }
  });
  return results;
}

/** @param {string} home */
async function ready(home) {
  const worker = await WorkerProcess.start({ home, env: { HANDRAISE_KEEP_SPARE: 'false' } });
  await worker.close();
  return worker.readyMs;
}

/** @param {string[]} args */
async function ended(args) {
  const startedAt = performance.now();
  await once(spawn(process.execPath, args, { stdio: 'ignore' }), 'exit');
  return performance.now() - startedAt;
}
