import { join } from 'node:path';
import { warmSpare } from '../../shared/warm-spare.js';
import { WorkerProcess } from '../../shared/worker-process.js';
import { FollowedThread } from '../../worker/followed-thread.js';

/** `handraise up`, its threads followed over SSE. @param {import('./seen.js').Place} place @returns {Promise<import('./seen.js').Host>} */
export async function openWorker({ env, folder }) {
  const home = join(folder, 'worker');
  const worker = await WorkerProcess.start({ home, env });
  return {
    pid: worker.pid,
    readyMs: worker.readyMs,
    async begin(text, cwd) {
      await warmSpare(join(home, 's'));
      const { thread, seen } = await FollowedThread.begin(worker, { text, cwd });
      const session = {
        async turn(/** @type {string} */ next) {
          const { text: all, ...rest } = await thread.turn(next);
          return { ...rest, letters: all.length };
        },
        close: async () => await thread.stop(),
      };
      return { session, seen: { ...seen, letters: 0 } };
    },
    close: async () => await worker.close(),
  };
}
