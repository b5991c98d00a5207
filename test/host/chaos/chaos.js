import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { newId } from '../../../dist/protocol/index.js';
import { Agent } from './agent.js';
import { Dice } from './dice.js';
import { KillSchedule } from './kill-schedule.js';
import { ModelWitness } from './model-witness.js';
import { Scene } from './scene.js';
import { Verdict } from './verdict.js';
import { WorkerLives } from './worker-lives.js';

const runnerFile = fileURLToPath(new URL('../../../bin/handraise-runner.js', import.meta.url));
const source = { now: () => Date.now(), randomBytes };
const fewestTurns = 3;
const lookMs = 5000;
// A hang is told as such; the slowest thing that may happen, a run that never showed up, takes a sixth of this.
const stalledMs = 90_000;

/**
 * @typedef {{ agents: number, kills: number, seed: number, spare?: boolean, signal?: AbortSignal, progress?: (line: string) => void }} ChaosOptions
 * @typedef {{ seed: number, agents: number, turns: number, questions: number, events: number, requests: number, repeats: number,
 *   kills: Record<string, number>, seconds: number, lost: number, doubled: number, orphans: number, violations: string[] }} ChaosSummary
 */

/**
 * Real agents work while the one worker that owns them is killed again and again; says what became of them.
 * @param {ChaosOptions} options @returns {Promise<ChaosSummary>}
 */
export async function runChaos({ agents: count, kills, seed, spare = false, signal, progress = () => {} }) {
  const startedAt = performance.now();
  const scene = await Scene.open();
  const witness = new ModelWitness(scene.simulator);
  const schedule = new KillSchedule(kills, new Dice(seed));
  const home = await scene.makeFolder('home');
  const lives = new WorkerLives(
    {
      home,
      workerId: newId('worker', source),
      runner: { file: process.execPath, args: [runnerFile] },
      env: scene.env,
      ...(spare ? { keepSpare: 'claude' } : {}),
    },
    (done) => schedule.next(done),
  );
  signal?.addEventListener('abort', () => void lives.stop('interrupted'));
  /** @type {Agent[]} */
  const agents = [];
  const watch = watchProgress({ schedule, lives, agents, kills, seed, progress });
  try {
    for (let number = 1; number <= count; number += 1) {
      const workspace = await scene.makeFolder(`workspace-${number}`);
      const thread = newThread(workspace);
      agents.push(new Agent({ number, workspace, thread, lives, home, dice: new Dice(seed + number) }));
    }
    await play(agents, lives, schedule);
    const verdict = new Verdict();
    for (const agent of agents) verdict.judge(agent, witness.of(agent.number));
    await lives.leave();
    for (const fault of lives.faults) verdict.add(fault);
    const orphans = await scene.orphans();
    for (const orphan of orphans) verdict.add(`a process was left: ${orphan}`);
    return {
      seed,
      agents: count,
      turns: sum(agents.map(({ turns }) => turns.length)),
      questions: sum(agents.map(({ turns }) => turns.filter(({ question }) => question).length)),
      events: sum(agents.map(({ events }) => events.length)),
      requests: witness.requests,
      repeats: lives.repeats,
      kills: Object.fromEntries(lives.kills),
      seconds: (performance.now() - startedAt) / 1000,
      lost: verdict.lost,
      doubled: verdict.doubled,
      orphans: orphans.length,
      violations: verdict.violations,
    };
  } finally {
    clearInterval(watch);
    await lives.stop('over');
    await scene.close();
  }
}

/** From the first start to the last end. @param {Agent[]} agents @param {WorkerLives} lives @param {KillSchedule} schedule */
async function play(agents, lives, schedule) {
  const begun = [];
  for (const agent of agents) {
    begun.push(agent.begin());
    // One by one while workers die over starts: the row of another start would wait long for a process that never was.
    if (!schedule.isBegun(lives.kills)) await Promise.all(begun);
  }
  await Promise.all(begun);

  schedule.phase = 'work';
  await lives.rearm();
  const isEnough = (/** @type {Agent} */ agent) =>
    agent.turns.length >= fewestTurns && schedule.isWorkDone(lives.kills);
  await Promise.all(agents.map(async (agent) => await agent.work(() => isEnough(agent))));

  schedule.phase = 'end';
  await lives.rearm();
  for (const agent of agents) await agent.end();

  schedule.phase = 'over';
  await lives.rearm();
}

/** @param {{ schedule: KillSchedule, lives: WorkerLives, agents: Agent[], kills: number, seed: number, progress: (line: string) => void }} watched */
function watchProgress({ schedule, lives, agents, kills, seed, progress }) {
  let last = '';
  let lastAt = performance.now();
  return setInterval(() => {
    const turns = sum(agents.map((agent) => agent.turns.length));
    const events = sum(agents.map((agent) => agent.events.length));
    const line = `${schedule.phase}: ${lives.killed} of ${kills} kills, ${turns} turns, ${events} events`;
    progress(line);
    if (line !== last) [last, lastAt] = [line, performance.now()];
    else if (performance.now() - lastAt > stalledMs)
      void lives.stop(`nothing happened any more at "${line}", seed ${seed}`);
  }, lookMs);
}

/** @param {string} workspace */
function newThread(workspace) {
  return {
    id: newId('thread', source),
    title: 'chaos',
    runtime: 'claude',
    workspace: { path: workspace },
    status: { state: 'stopped', why: 'new', source: 'chaos', confidence: 'authoritative' },
    createdAt: new Date().toISOString(),
    launch: { permissions: 'approval', posture: {} },
  };
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0);
}
