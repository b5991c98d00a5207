import { fillAtOnce } from './contestant.js';

const queue = 'bench';

/**
 * pg-boss as a program may use it without its polling interval: fetch and complete, over again. A fetch marks jobs as active
 * until they expire; a completion marks them as completed. Nothing else is written.
 * @param {import('./contestant.js').Task} task
 * @returns {Promise<import('./contestant.js').Contestant>}
 */
export async function openPgBoss({ url, peers, jobs, loops, batch, done }) {
  const { PgBoss } = await import(`${peers}/node_modules/pg-boss/dist/index.js`);
  const boss = new PgBoss({ connectionString: url, max: loops, schedule: false, supervise: false });
  boss.on('error', (/** @type {unknown} */ error) => {
    throw error;
  });
  await boss.start();
  await boss.createQueue(queue);
  for (let filled = 0; filled < jobs; filled += fillAtOnce)
    await boss.insert(
      queue,
      Array.from({ length: Math.min(fillAtOnce, jobs - filled) }, () => ({ data: { text: 'Do it.' } })),
    );

  const loop = async () => {
    for (;;) {
      /** @type {{ readonly id: string }[]} */
      const claimed = await boss.fetch(queue, { batchSize: batch });
      if (claimed.length === 0) return;
      await boss.complete(
        queue,
        claimed.map(({ id }) => id),
      );
      done(claimed.length);
    }
  };
  return {
    work: async () => void (await Promise.all(Array.from({ length: loops }, loop))),
    close: async () => await boss.stop({ graceful: true, close: true }),
  };
}
