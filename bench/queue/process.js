// One process of a measurement: fills its share, says so, works when it is told to, and tells how much is done.
import { openGraphileWorker } from './contestants/graphile-worker.js';
import { openHandraise } from './contestants/handraise.js';
import { openPgBoss } from './contestants/pg-boss.js';

const tellMs = 20;

/** @type {Readonly<Record<string, (task: import('./contestants/contestant.js').Task) => Promise<import('./contestants/contestant.js').Contestant>>>} */
const openers = {
  'graphile-worker': openGraphileWorker,
  'pg-boss': openPgBoss,
  'pg-boss, overlapping': async (task) => await openPgBoss({ ...task, overlaps: true }),
  handraise: openHandraise,
  'handraise, overlapping': async (task) => await openHandraise({ ...task, overlaps: true }),
  'handraise, whole': async (task) => await openHandraise({ ...task, whole: true }),
};

const { name, ...task } = JSON.parse(process.argv[2] ?? '{}');
let usedBefore = process.cpuUsage();
let count = 0;
let told = 0;
const contestant = await openers[name]?.({
  ...task,
  done: (/** @type {number} */ more) => {
    count += more;
  },
});
if (!contestant) throw new Error(`${name} is unknown`);
const telling = setInterval(tell, tellMs);
process.on('message', (message) => {
  if (message === 'go') void work();
  if (message === 'stop') void stop();
});
process.send?.({ kind: 'ready' });

function tell() {
  if (count !== told) process.send?.({ kind: 'done', count });
  told = count;
}

async function work() {
  usedBefore = process.cpuUsage();
  await contestant?.work();
  tell();
}

async function stop() {
  clearInterval(telling);
  const { user, system } = process.cpuUsage(usedBefore);
  await contestant?.close();
  process.send?.({ kind: 'closed', cpuSeconds: (user + system) / 1e6 }, () => process.disconnect());
}
