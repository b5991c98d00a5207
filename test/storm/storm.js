import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { courseOf } from './course.js';
import { Dice } from './dice.js';
import { askedOf, evidenceOf } from './evidence.js';
import { KillSchedule } from './kill-schedule.js';
import { ModelEar } from './model-ear.js';
import { Scene } from './scene.js';
import { stormRuntimes } from './storm-runtimes.js';
import { StormThread } from './storm-thread.js';
import { tableOf } from './table.js';
import { Verdict } from './verdict.js';
import { scriptOf } from './work.js';
import { WorkerKeeper } from './worker-keeper.js';

const lookMs = 5000;
// A hang is told as such. The slowest thing that may happen without an event, a run that never showed up, takes a fifth of the first.
const stalled = { silentMs: 90_000, aimlessMs: 900_000 };

/**
 * @typedef {object} StormOptions
 * @property {number} prompts  that are asked at least
 * @property {number} agents  each in a thread of its own
 * @property {number} kills  of the worker, at planned moments; blows against what just asks come on top
 * @property {number} seed
 * @property {import('./storm-runtimes.js').RuntimeName} [runtime]
 * @property {import('./storm-thread.js').Victims} [victims]
 * @property {number} [atOnce]
 * @property {boolean} [spare]  whether a runner is kept warm
 * @property {AbortSignal} [signal]
 * @property {string} [record]  a folder for the threads with violations
 * @property {(line: string) => void} [progress]
 *
 * @typedef {{ table: Record<string, number>, kills: Record<string, number>, unbroken: number, lost: number, doubled: number, orphans: number, violations: string[], courses: string[] }} StormSummary  courses: of the threads with violations
 */

/**
 * Real agents work and ask, several people answer, and everything between them is killed again and again.
 * @param {StormOptions} options @returns {Promise<StormSummary>}
 */
export async function runStorm({
  prompts,
  agents,
  kills,
  seed,
  runtime: name = 'claude',
  victims = 'all',
  atOnce = 6,
  spare = name === 'claude',
  signal,
  record,
  progress = () => {},
}) {
  const startedAt = performance.now();
  const runtime = stormRuntimes[name];
  const scene = await Scene.open(runtime);
  scene.simulator.setScript(scriptOf(runtime));
  const ear = new ModelEar(scene.simulator);
  const schedule = new KillSchedule(kills, new Dice(seed));
  const home = await scene.makeFolder('home');
  const settings = workerSettings({ atOnce, spare, victims });
  const keeper = new WorkerKeeper({ home, env: scene.env, settings, schedule });
  signal?.addEventListener('abort', () => void keeper.stop('interrupted'));
  /** @type {StormThread[]} */
  const threads = [];
  const watch = watchProgress({ threads, prompts, keeper, progress });
  try {
    for (let number = 1; number <= agents; number += 1) {
      const workspace = await scene.makeFolder(`workspace-${number}`);
      const dice = new Dice(seed + number);
      const { mark } = scene;
      threads.push(new StormThread({ number, workspace, keeper, schedule, mark, runtime, dice, victims }));
    }
    await play(threads, { schedule, atOnce, prompts });

    const asked = [];
    for (const thread of threads) asked.push(await askedOf(thread));
    await keeper.leave();
    const evidence = await evidenceOf(home, asked);
    const verdict = new Verdict(ear);
    /** @type {string[]} */
    const courses = [];
    for (const thread of evidence) {
      const before = verdict.violations.length;
      verdict.judge(thread);
      if (verdict.violations.length === before) continue;
      courses.push(courseOf(thread));
      if (record) await keepRecord(record, thread, runtime.sessions(scene.env));
    }
    for (const fault of keeper.faults) verdict.add(fault);
    const orphans = await scene.orphans();
    for (const orphan of orphans) verdict.add(`a process was left: ${orphan}`);
    const { lost, doubled, unbroken, violations } = verdict;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    return {
      table: { ...tableOf(evidence), 'requests to the model': ear.requests, seconds },
      kills: {
        ...Object.fromEntries(schedule.done),
        blows: keeper.blows,
        'SIGTERM, and ended': keeper.terminated,
      },
      unbroken,
      lost,
      doubled,
      orphans: orphans.length,
      violations,
      courses,
    };
  } finally {
    clearInterval(watch);
    await keeper.stop();
    await scene.close();
  }
}

/** So many threads at a time, until all have played. @param {StormThread[]} threads @param {{ schedule: KillSchedule, atOnce: number, prompts: number }} how */
async function play(threads, { schedule, atOnce, prompts }) {
  const waiting = [...threads];
  let ended = 0;
  const playOn = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      await next.play(prompts / threads.length, () => schedule.isEnough(ended, threads.length));
      ended += 1;
    }
  };
  const first = playOn();
  // One alone while workers die over starts: the row of another start would wait long for a process that never was.
  while (!schedule.isBegun && waiting.length === threads.length - 1) await sleep(50);
  await Promise.all([first, ...Array.from({ length: atOnce - 1 }, playOn)]);
}

/** @param {{ atOnce: number, spare: boolean, victims: import('./storm-thread.js').Victims }} options */
function workerSettings({ atOnce, spare, victims }) {
  return {
    port: 0,
    allowedHosts: [],
    slots: atOnce,
    retries: 5,
    idleTimeoutMinutes: 15,
    // An agent that waits for its answer is let go soon where that is part of the storm, else not at all.
    holdForMinutes: victims === 'worker' ? 60 : 0.02,
    keepSpare: spare,
  };
}

/** What the thread holds, and what its agent has saved. @param {string} record @param {import('./evidence.js').Evidence} thread @param {string} sessions */
async function keepRecord(record, thread, sessions) {
  const folder = join(record, `thread-${thread.number}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'thread.json'), JSON.stringify(thread, undefined, 1));
  await cp(sessions, join(folder, 'sessions'), {
    recursive: true,
    filter: (path) =>
      !path.includes('-workspace-') || new RegExp(`-workspace-${thread.number}(/|$)`).test(path),
  });
}

/** @param {{ threads: StormThread[], prompts: number, keeper: WorkerKeeper, progress: (line: string) => void }} watched */
function watchProgress({ threads, prompts, keeper, progress }) {
  return setInterval(() => {
    const attended = threads.reduce((sum, thread) => sum + thread.attended.length, 0);
    progress(`${attended} of ${prompts} prompts, ${keeper.kills} kills of the worker`);
    for (const thread of threads) void giveUpStalled(thread, keeper);
  }, lookMs);
}

/** @param {StormThread} thread @param {WorkerKeeper} keeper */
async function giveUpStalled(thread, keeper) {
  if (!(await thread.isStalled(stalled))) return;
  keeper.faults.push(`nothing happened any more: ${await thread.giveUp()}`);
}
