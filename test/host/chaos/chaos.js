import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { markedPids } from '../../../dist/process/process-table.js';
import { newId } from '../../../dist/protocol/index.js';
import { runtimeEnvironment, startSimulator, writeRuntimeFiles } from '../../../dist/simulator/index.js';
import { Agent } from './agent.js';
import { Dice } from './dice.js';
import { KillSchedule } from './kill-schedule.js';
import { ModelWitness } from './model-witness.js';
import { Verdict } from './verdict.js';
import { WorkerLives } from './worker-lives.js';

const runnerFile = fileURLToPath(new URL('../../../bin/handraise-runner.js', import.meta.url));
const markVariable = 'TEST_PROCESS_MARK';
const fewestTurns = 3;
// The last children of an agent go a moment after it; what is there after this stays there.
const graceMs = 10_000;

/**
 * @typedef {{ agents: number, kills: number, seed: number, progress?: (line: string) => void }} ChaosOptions
 * @typedef {{ seed: number, agents: number, turns: number, questions: number, events: number, requests: number, repeats: number,
 *   kills: Record<string, number>, seconds: number, lost: number, doubled: number, orphans: number, violations: string[] }} ChaosSummary
 */

/**
 * Real agents work while the one worker that owns them is killed again and again; says what became of them.
 * @param {ChaosOptions} options @returns {Promise<ChaosSummary>}
 */
export async function runChaos({ agents: count, kills, seed, progress = () => {} }) {
  const startedAt = performance.now();
  const dice = new Dice(seed);
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'handraise-chaos-')));
  const simulator = await startSimulator({ keep: 50 });
  const mark = { name: markVariable, value: randomUUID() };
  try {
    const witness = new ModelWitness(simulator);
    const schedule = new KillSchedule(kills, dice);
    const home = join(folder, 'home');
    const env = await agentEnvironment(simulator.url, folder, mark);
    await mkdir(home, { mode: 0o700 });
    const lives = new WorkerLives(
      { home, workerId: newId('worker', source), runner: { file: process.execPath, args: [runnerFile] }, env },
      () => schedule.next(lives?.kills ?? new Map()),
    );
    const agents = await Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const workspace = join(folder, `workspace-${index + 1}`);
        await mkdir(workspace);
        const thread = newThread(workspace);
        return new Agent({ number: index + 1, workspace, thread, lives, home, dice: new Dice(seed + index + 1) });
      }),
    );
    const tell = () => {
      const turns = sum(agents.map((agent) => agent.turns.length));
      progress(`${schedule.phase}: ${lives.killed} of ${kills} kills, ${turns} turns, ${witness.requests} model requests`);
    };
    const telling = setInterval(tell, 5000);
    try {
      await Promise.all(agents.map(async (agent) => await agent.begin()));
      schedule.phase = 'work';
      await lives.rearm();
      const isEnough = (/** @type {Agent} */ agent) =>
        agent.turns.length >= fewestTurns && schedule.isWorkDone(lives.kills);
      await Promise.all(agents.map(async (agent) => await agent.work(() => isEnough(agent))));
      schedule.phase = 'end';
      await lives.rearm();
      for (const agent of agents) await agent.end(agent.number % 3 === 0 ? 'command' : 'signal');
      schedule.phase = 'over';
      await lives.rearm();
      const verdict = new Verdict();
      for (const agent of agents) verdict.judge(agent, witness.of(agent.number));
      await lives.leave();
      for (const fault of lives.faults) verdict.add(fault);
      const orphans = await orphansOf(mark);
      if (orphans.length > 0) verdict.add(`${orphans.length} processes were left: ${orphans.join(', ')}`);
      tell();
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
      clearInterval(telling);
      await lives.leave();
    }
  } finally {
    for (const pid of markedPids(mark)) kill(pid);
    await simulator[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const source = { now: () => Date.now(), randomBytes };

/** @param {string} url @param {string} folder @param {{ name: string, value: string }} mark */
async function agentEnvironment(url, folder, mark) {
  const environment = runtimeEnvironment('claude', { url, home: join(folder, 'agents') });
  await mkdir(join(folder, 'agents'));
  await writeRuntimeFiles(environment);
  // Claude Code refuses bypassPermissions to root unless it is told that it sits in a sandbox.
  return { PATH: process.env.PATH ?? '', IS_SANDBOX: '1', ...environment.env, [mark.name]: mark.value };
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
  };
}

/** @param {{ name: string, value: string }} mark */
async function orphansOf(mark) {
  const start = performance.now();
  while (markedPids(mark).size > 0 && performance.now() - start < graceMs) await sleep(50);
  return [...markedPids(mark)];
}

/** @param {number} pid */
function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0);
}
