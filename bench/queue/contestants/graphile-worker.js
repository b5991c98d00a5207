import { EventEmitter } from 'node:events';
import { fillAtOnce } from './contestant.js';

/**
 * graphile-worker with its own runner. One by one it locks a job and deletes it; in tens it fetches so many into its local
 * queue and deletes what was done together. Nothing is kept of a job that is done.
 * @param {import('./contestant.js').Task} task
 * @returns {Promise<import('./contestant.js').Contestant>}
 */
export async function openGraphileWorker({ url, peers, jobs, loops, batch, done }) {
  const { run, makeWorkerUtils, Logger } = await import(
    `${peers}/node_modules/graphile-worker/dist/index.js`
  );
  const logger = new Logger(() => () => {});
  const utils = await makeWorkerUtils({ connectionString: url, logger });
  await utils.migrate();
  for (let filled = 0; filled < jobs; filled += fillAtOnce)
    await utils.addJobs(
      Array.from({ length: Math.min(fillAtOnce, jobs - filled) }, () => ({
        identifier: 'bench',
        payload: { text: 'Do it.' },
      })),
    );
  await utils.release();

  const events = new EventEmitter();
  events.on('job:complete', () => done(1));
  const inTens = {
    localQueue: { size: batch * loops },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0,
  };
  /** @type {{ stop(): Promise<void> } | undefined} */
  let runner;
  return {
    async work() {
      runner = await run({
        taskList: { bench: async () => {} },
        events,
        noHandleSignals: true,
        preset: {
          worker: {
            connectionString: url,
            logger,
            concurrentJobs: batch * loops,
            maxPoolSize: loops + 2,
            ...(batch > 1 ? inTens : {}),
          },
        },
      });
      await new Promise(() => {});
    },
    close: async () => await runner?.stop(),
  };
}
