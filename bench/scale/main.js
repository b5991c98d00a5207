// `npm run bench:scale`: what a team's work costs PostgreSQL and its workers. Several real workers on one server, each with many
// threads whose runners are stubs; one piece of work in each thread, every fourth asks, and is answered at another worker. Prints
// counts, which do not depend on how busy the machine is, and rates, which do.
// Usage: node bench/scale/main.js [--workers 4] [--threads 2000] [--at-once 400] [--idle 20] [--minutes 10]
import { fork } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { machine, machineLine } from '../shared/machine.js';
import { startPostgres } from '../shared/postgres.js';
import { ServerCounts } from './server-counts.js';

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '4' },
    threads: { type: 'string', default: '2000' },
    'at-once': { type: 'string', default: '400' },
    idle: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '10' },
  },
});
const count = Number(values.workers);
const threads = Number(values.threads);
const perWorker = Math.ceil(threads / count);
const idleSeconds = Number(values.idle);
const endsAt = performance.now() + Number(values.minutes) * 60_000;
const agent = { paragraphs: 4, thinkMs: 500 };
const settings = {
  slots: Math.ceil(Number(values['at-once']) / count),
  maxAgents: 1000,
  keepSpare: false,
  idleTimeoutMinutes: 60,
  runnerDeadlineSeconds: 600,
  leaseSeconds: 60,
  marginSeconds: 60,
};

const folder = await mkdtemp(join(tmpdir(), 'hr-scale-'));
/** @type {import('node:child_process').ChildProcess[]} */
const children = [];
/** @type {number[]} */
const stubs = [];
const before = machine();
console.log(machineLine(before));
const server = await startPostgres([
  'shared_buffers=256MB',
  'max_connections=300',
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.max=10000',
]);
const counts = await ServerCounts.open(server);
try {
  await run();
} finally {
  for (const child of children) child.kill('SIGKILL');
  for (const pid of stubs) kill(pid);
  await counts.close();
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function run() {
  const runners = start('runners.js', agent);
  /** @type {Record<string, number>} */
  const results = {};
  let prompts = 0;
  /** @type {import('node:child_process').ChildProcess[]} */
  const workers = [];
  const asked = new Set();
  for (let index = 0; index < count; index += 1) {
    const home = join(folder, `home-${index}`);
    await mkdir(home);
    const worker = start('worker.js', {
      home,
      settings: { ...settings, workerName: `w${index}`, store: counts.url },
      env: {},
    });
    workers.push(worker);
    worker.on('message', (message) => {
      const word = Object(message);
      if (word.kind === 'run') {
        stubs.push(word.identity.pid);
        runners.send(word);
      } else if (word.kind === 'ended') results[word.result] = (results[word.result] ?? 0) + 1;
      else if (word.kind === 'prompt' && !asked.has(word.id)) {
        asked.add(word.id);
        prompts += 1;
        workers[(index + 1) % workers.length]?.send({ kind: 'answer', id: word.id });
      }
    });
    await hear(worker, 'ready');
  }
  await delay(3000);
  const memoryBefore = await Promise.all(workers.map(memory));
  const idle = await counts.during(async () => await delay(idleSeconds * 1000));
  perSecond(`${count} workers that have nothing to do`, idle, idleSeconds * count);

  const cpuBefore = memoryBefore.reduce((sum, { cpu }) => sum + cpu.user + cpu.system, 0);
  const startedAt = performance.now();
  const busy = await counts.during(async () => {
    for (const [index, worker] of workers.entries()) {
      const paths = Array.from({ length: perWorker }, (_, each) => join(folder, `work-${index}-${each}`));
      for (const path of paths) await mkdir(path);
      worker.send({ kind: 'give', paths });
    }
    while (sum(results) < perWorker * count && performance.now() < endsAt) await delay(100);
    if (sum(results) < perWorker * count)
      console.log(`The time is over: what follows is of the ${sum(results)} pieces that have ended.`);
    // Hints and the search index come after.
    await delay(3000);
  });
  const seconds = (performance.now() - startedAt) / 1000 - 3;
  const memoryAfter = await Promise.all(workers.map(memory));
  const cpu = memoryAfter.reduce((total, each) => total + each.cpu.user + each.cpu.system, 0) - cpuBefore;
  const pieces = Math.max(1, sum(results));
  perPiece(busy, { pieces, prompts, cpu });
  console.log(`ended: ${JSON.stringify(results)}, questions answered at another worker: ${prompts}`);
  console.log(`rate: ${(pieces / seconds).toFixed(1)} pieces per second, load ${machine().load.join(' ')}\n`);

  const held = await counts.during(async () => await delay(idleSeconds * 1000));
  // Where the time was over, they are still at work.
  if (sum(results) === perWorker * count)
    perSecond(`${count} workers with ${perWorker} idle agents each`, held, idleSeconds * count);
  const connections = await counts.connections();
  console.log(`connections per worker: ${(connections / count).toFixed(1)}`);
  console.log(
    `worker: ${megabytes(memoryBefore).toFixed(0)} MB RSS empty, ${megabytes(memoryAfter).toFixed(0)} MB with ${perWorker} agents\n`,
  );
  for (const line of busy.statements(pieces, 25)) console.log(line);
  console.log(
    JSON.stringify({
      bench: 'scale',
      ...before,
      loadAtEnd: machine().load,
      workers: count,
      threads: perWorker * count,
      pieces,
      prompts,
      seconds,
      idle: idle.numbers,
      busy: busy.numbers,
      held: held.numbers,
      connections,
      results,
    }),
  );
}

/** @param {string} program @param {object} task */
function start(program, task) {
  const child = fork(new URL(program, import.meta.url).pathname, [JSON.stringify(task)], {
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, HANDRAISE_HOME: folder },
  });
  children.push(child);
  child.on('message', (message) => {
    if (Object(message).kind === 'log') console.error(`${program}: ${Object(message).line}`);
  });
  return child;
}

/** @param {import('node:child_process').ChildProcess} child @param {string} kind @returns {Promise<any>} */
async function hear(child, kind) {
  return await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`a process ended with ${code}`)));
    const listen = (/** @type {unknown} */ message) => {
      if (Object(message).kind !== kind) return;
      child.off('message', listen);
      resolve(Object(message));
    };
    child.on('message', listen);
  });
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<{ rss: number, cpu: { user: number, system: number } }>} */
async function memory(child) {
  const heard = hear(child, 'memory');
  child.send({ kind: 'memory' });
  return await heard;
}

/** One that has ended already is gone. @param {number} pid */
function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended with its run.
  }
}

/** @param {readonly { rss: number }[]} each */
function megabytes(each) {
  return each.reduce((total, { rss }) => total + rss, 0) / each.length / 1e6;
}

/** @param {Record<string, number>} each */
function sum(each) {
  return Object.values(each).reduce((total, number) => total + number, 0);
}

/** @param {string} what @param {import('./server-counts.js').Counted} counted @param {number} workerSeconds */
function perSecond(what, { numbers }, workerSeconds) {
  console.log(`${what}, per worker and second:`);
  for (const [name, number] of Object.entries(numbers))
    console.log(`  ${name.padEnd(28)}${(number / workerSeconds).toFixed(2).padStart(12)}`);
  console.log();
}

/** @param {import('./server-counts.js').Counted} counted @param {{ pieces: number, prompts: number, cpu: number }} of */
function perPiece({ numbers }, { pieces, prompts, cpu }) {
  console.log(`${pieces} pieces of work, ${prompts} of which asked; per piece:`);
  for (const [name, number] of Object.entries(numbers))
    console.log(`  ${name.padEnd(28)}${(number / pieces).toFixed(2).padStart(12)}`);
  console.log(`  ${'worker, processor, ms'.padEnd(28)}${(cpu / 1000 / pieces).toFixed(2).padStart(12)}\n`);
}
