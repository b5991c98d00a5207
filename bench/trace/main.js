// `npm run bench:trace`: where a warm turn through worker and event stream spends its time. Prints, for the median turn, when each room was
// entered and left, and for all of them what they cost in commits, pages, syncs and messages between threads: counts do not depend on how
// busy the machine is. With --profile also where worker and runner spend 5,000 deltas; with --starts new threads instead of warm turns.
// Usage: node bench/trace/main.js [--turns 15] [--profile] [--starts]
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startSimulator } from '../../dist/simulator/index.js';
import { claudePlace } from '../shared/claude-place.js';
import { machine, machineLine } from '../shared/machine.js';
import { warmSpare } from '../shared/warm-spare.js';
import { WorkerProcess } from '../shared/worker-process.js';
import { FollowedThread } from '../worker/followed-thread.js';
import { hottest } from './profile.js';
import { countNames, countsOf, marksIn, summedUp, timeline } from './turn-trace.js';

// The probes write when nothing happened for 300 ms, and what they write is no part of a turn.
const restMs = 500;
const profiledTurns = 5;
const { values } = parseArgs({
  options: { turns: { type: 'string' }, profile: { type: 'boolean' }, starts: { type: 'boolean' } },
});
const turns = Number(values.turns ?? 15);
const folder = await mkdtemp(join(tmpdir(), 'hr-trace-'));
const simulator = await startSimulator({ keep: 0 });
try {
  const { env, cwd } = await claudePlace(simulator.url, join(folder, 'claude'));
  const home = join(folder, 'worker');
  const probe = new URL('./probe.js', import.meta.url).href;
  const worker = await WorkerProcess.start({
    home,
    env: { ...env, NODE_OPTIONS: `--import=${probe}`, HANDRAISE_BENCH_TRACE: folder },
  });
  console.log(`${machineLine(machine())}\n`);
  try {
    await warmSpare(join(home, 's'));
    const { thread } = await FollowedThread.begin(worker, { text: '[[text first]]', cwd });
    await thread.turn('[[text second]]');
    await sleep(restMs);
    const traced = values.starts ? await traceStarts(worker, home) : await traceTurns(thread);
    if (values.profile) await profileDeltas(thread);
    await thread.stop();
    // The end of the agent keeps the probes busy, and what they hold of the last turn is written after it.
    await sleep(2 * restMs);
    show(traced);
  } finally {
    await worker.close();
  }
} finally {
  await simulator[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** @param {FollowedThread} thread */
async function traceTurns(thread) {
  const traced = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const sentAt = Number(process.hrtime.bigint()) / 1e6;
    const { textMs, outcomeMs } = await thread.turn('[[text warm]]');
    await sleep(restMs);
    traced.push({ sentAt, textMs, outcomeMs });
  }
  return traced;
}

/** New threads, each in a folder of its own, once a spare runner waits. @param {WorkerProcess} worker @param {string} home */
async function traceStarts(worker, home) {
  const traced = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const cwd = join(folder, 'work', String(turn));
    await mkdir(cwd, { recursive: true });
    await warmSpare(join(home, 's'));
    await sleep(restMs);
    const sentAt = Number(process.hrtime.bigint()) / 1e6;
    const { thread, seen } = await FollowedThread.begin(worker, { text: '[[text new]]', cwd });
    await sleep(restMs);
    await thread.stop();
    traced.push({ sentAt, textMs: seen.firstTextMs, outcomeMs: seen.outcomeMs });
  }
  return traced;
}

/** @param {FollowedThread} thread */
async function profileDeltas(thread) {
  for (let turn = 0; turn < profiledTurns; turn += 1) {
    await thread.turn('[[deltas 5000 word]]');
    await sleep(restMs);
  }
}

/** @param {{ sentAt: number, textMs: number, outcomeMs: number }[]} traced */
function show(traced) {
  const marks = marksIn(folder);
  const found = traced.map((turn) => {
    // Until nothing of it is left to be done; the next one begins after a rest.
    const until = turn.sentAt + turn.outcomeMs + restMs / 2;
    return { ...turn, marks: marks.filter(({ at }) => at >= turn.sentAt && at < until) };
  });
  const usual = found.toSorted((one, other) => one.outcomeMs - other.outcomeMs)[Math.floor(found.length / 2)];
  if (usual) {
    console.log(
      `the median turn: text seen after ${usual.textMs.toFixed(1)} ms, its outcome after ${usual.outcomeMs.toFixed(1)} ms`,
    );
    for (const line of timeline(usual.marks, usual.sentAt)) console.log(line);
  }
  const { medians, lowest } = summedUp(found.map((turn) => countsOf(turn.marks)));
  console.log(`\nmedians of ${found.length} ${values.starts ? 'new threads' : 'warm turns'}`);
  for (const [name, words] of Object.entries(countNames))
    console.log(`${words.padEnd(56)}${String(medians[name]).padStart(6)}`);
  if (values.profile) for (const place of ['runner', 'worker']) showProfile(place);
  console.log(`\n${JSON.stringify({ bench: 'trace', ...machine(), turns: found.length, medians, lowest })}`);
}

/** @param {string} place */
function showProfile(place) {
  const { all, top } = hottest(folder, place);
  console.log(
    `\n${place}: ${(all / profiledTurns).toFixed(0)} ms of its own in a turn of 5,000 deltas, of which`,
  );
  for (const [name, ms] of top) console.log(`${(ms / profiledTurns).toFixed(1).padStart(8)} ms  ${name}`);
}
