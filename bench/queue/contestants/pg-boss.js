import { fillAtOnce } from './contestant.js';

const queue = 'bench';

/**
 * pg-boss as a program may use it without its polling interval: fetch and complete, over again. A fetch marks jobs as active
 * until they expire; a completion marks them as completed. Nothing else is written. With `overlaps` a worker fetches its next jobs
 * while its last ones are completed, over connections enough for both.
 * @param {import('./contestant.js').Task & { readonly overlaps?: boolean }} task
 * @returns {Promise<import('./contestant.js').Contestant>}
 */
export async function openPgBoss({ url, peers, jobs, loops, batch, done, overlaps = false }) {
  const { PgBoss } = await import(`${peers}/node_modules/pg-boss/dist/index.js`);
  const boss = new PgBoss({
    connectionString: url,
    max: overlaps ? 2 * loops : loops,
    schedule: false,
    supervise: false,
  });
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

  const complete = async (/** @type {readonly { readonly id: string }[]} */ claimed) => {
    await boss.complete(
      queue,
      claimed.map(({ id }) => id),
    );
    done(claimed.length);
  };
  const loop = async () => {
    /** @type {Promise<void> | undefined} */
    let ending;
    for (;;) {
      const claimed = await boss.fetch(queue, { batchSize: batch });
      await ending;
      if (claimed.length === 0) return;
      ending = complete(claimed);
      if (!overlaps) await ending;
    }
  };
  return {
    work: async () => void (await Promise.all(Array.from({ length: loops }, loop))),
    close: async () => await boss.stop({ graceful: true, close: true }),
  };
}
