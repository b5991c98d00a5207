// The recorder from runners' sockets to committed events: how many a second, what they cost the worker's event loop,
// how soon a subscriber hears of them, what live runs weigh, and how soon a new run says its first word.
// Baselines run in between on the same disk; absolute numbers are this machine's, so read the ratios.
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RawLog } from '../store/raw-log.js';
import { Rig } from './rig.js';
import { measureStarts } from './start.js';

const rounds = 5;
const seconds = 3;
const producers = 10;
const starts = 7;

const folder = await mkdtemp(join(tmpdir(), 'hr-bench-'));
try {
  console.log(
    `${producers} synthetic runners on Unix sockets → worker → SQLite (synchronous=FULL); ${rounds} rounds of ${seconds} s, medians`,
  );
  console.log(
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, load ${load()}\n`,
  );
  const perSecond = await throughput();
  await steadyLoad('at half that load', perSecond / 2);
  await steadyLoad('at half the aim', 10_000);
  await liveRuns();
  await firstText();
  console.log(`load at the end ${load()}`);
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** As fast as it goes, beside raw libsql with one transaction per event. */
async function throughput() {
  const [ours, grouping, raw, rss, backlog] = [samples(), samples(), samples(), samples(), samples()];
  for (let round = 0; round < rounds; round += 1) {
    const rig = await Rig.open(join(folder, `flood-${round}`), producers);
    const before = await rig.worker.ask({ order: 'begin' });
    const flood = await rig.runners.ask({ order: 'flood', seconds });
    const after = await rig.worker.ask({ order: 'report' });
    await rig.close();
    ours.push(flood.events / flood.seconds);
    grouping.push((after.commits - before.commits) / flood.seconds);
    rss.push(after.memory.rss);
    backlog.push(flood.backlog);
    raw.push(await oneByOne(join(folder, `raw-${round}`, 'bench.db')));
  }
  const [perSecond, baseline, commits] = [median(ours), median(raw), median(grouping)];
  row(
    'durable events per second',
    perSecond.toFixed(0),
    `aim 20,000; ${(perSecond / baseline).toFixed(1)} × raw`,
  );
  row(
    '  commits (fsyncs) per second',
    commits.toFixed(0),
    `${(perSecond / commits).toFixed(0)} events in each`,
  );
  row('  raw libsql, a transaction each', baseline.toFixed(0), 'events and fsyncs per second');
  row('  most unacknowledged events of one run', median(backlog).toFixed(0), '');
  row('  worker RSS after the flood', `${median(rss).toFixed(0)} MB`, '');
  return perSecond;
}

/** @param {string} file */
async function oneByOne(file) {
  const log = new RawLog(file, { grouped: false });
  const start = performance.now();
  let events = 0;
  for (; performance.now() - start < seconds * 1000; events += 1) await log.append(events % producers, 1);
  const elapsed = (performance.now() - start) / 1000;
  await log.close();
  return events / elapsed;
}

/** @param {string} name @param {number} perSecond */
async function steadyLoad(name, perSecond) {
  const [loop, p50, p99, done] = [samples(), samples(), samples(), samples()];
  for (let round = 0; round < rounds; round += 1) {
    const rig = await Rig.open(join(folder, `steady-${perSecond.toFixed(0)}-${round}`), producers);
    // What a fresh process still compiles in its first second is not the load's.
    await rig.runners.ask({ order: 'trickle', seconds: 1, perSecond });
    await rig.worker.ask({ order: 'begin' });
    const trickle = await rig.runners.ask({ order: 'trickle', seconds, perSecond });
    const report = await rig.worker.ask({ order: 'report' });
    await rig.close();
    const latencies = latenciesOf(rig, trickle.ticks, report.heard).toSorted((a, b) => a - b);
    done.push(trickle.events / trickle.seconds);
    loop.push(report.loop);
    p50.push(at(latencies, 0.5));
    p99.push(at(latencies, 0.99));
  }
  row(`${name}, events per second`, median(done).toFixed(0), '');
  row("  worker's event-loop delay p99", `${median(loop).toFixed(2)} ms`, 'aim < 5 ms');
  row('  runner → subscriber, p50', `${median(p50).toFixed(2)} ms`, '');
  row('  runner → subscriber, p99', `${median(p99).toFixed(2)} ms`, '');
}

/**
 * From the writing of a tick's last line to the first notice that covers it.
 * @param {Rig} rig @param {[number, number][][]} ticks @param {[string, number, number][]} heard
 */
function latenciesOf(rig, ticks, heard) {
  return rig.runs.flatMap(({ threadId }, index) => {
    const notices = heard.filter(([thread]) => thread === threadId);
    let place = 0;
    return (ticks[index] ?? []).flatMap(([seq, sentAt]) => {
      while ((notices[place]?.[1] ?? Number.POSITIVE_INFINITY) < seq) place += 1;
      const heardAt = notices[place]?.[2];
      // Ticks of the warm-up were heard before anyone listened.
      return heardAt === undefined || sentAt < (notices[0]?.[2] ?? 0) ? [] : [heardAt - sentAt];
    });
  });
}

async function liveRuns() {
  for (const count of [0, 50, 200]) {
    const rig = await Rig.open(join(folder, `live-${count}`), count);
    await rig.runners.ask({ order: 'greet', count: 20 });
    // A second for the collector; there is no condition to wait for.
    await sleep(1000);
    const { memory } = await rig.worker.ask({ order: 'report' });
    await rig.close();
    row(
      `worker with ${count} live runs`,
      `${memory.pss.toFixed(0)} MB PSS, ${memory.rss.toFixed(0)} MB RSS`,
      count === 50 ? 'aim ≤ 80 MB PSS' : '',
    );
  }
}

async function firstText() {
  const times = await measureStarts(join(folder, 'starts'), starts);
  const bare = median(times.bare);
  row('new thread to first text, bare SDK', `${bare.toFixed(0)} ms`, `${starts} rounds`);
  row(
    '  cold runner',
    `${median(times.cold).toFixed(0)} ms`,
    `${(median(times.cold) / bare).toFixed(2)} × bare`,
  );
  row(
    '  spare runner',
    `${median(times.warm).toFixed(0)} ms`,
    `${(median(times.warm) / bare).toFixed(2)} × bare, aim ≤ 1.1`,
  );
}

/** @param {string} what @param {string} value @param {string} note */
function row(what, value, note) {
  console.log(`${what.padEnd(40)}${value.padStart(26)}   ${note}`.trimEnd());
}

/** @returns {number[]} */
function samples() {
  return [];
}

function load() {
  return loadavg()
    .map((each) => each.toFixed(1))
    .join(' ');
}

/** @param {number[]} sorted @param {number} share */
function at(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** @param {number[]} values */
function median(values) {
  return at(
    values.toSorted((a, b) => a - b),
    0.5,
  );
}
