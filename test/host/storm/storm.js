import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Dice } from '../chaos/dice.js';
import { Scene } from '../chaos/scene.js';
import { ModelEar } from './model-ear.js';
import { script } from './scene-text.js';
import { StormThread } from './storm-thread.js';
import { StormVerdict } from './storm-verdict.js';
import { WorkerKeeper } from './worker-keeper.js';

const lookMs = 5000;
// A hang is told as such.
const stalledMs = 60_000;

/**
 * @typedef {{ prompts: number, threads: number, seed: number, atOnce?: number, signal?: AbortSignal, record?: string, progress?: (line: string) => void }} StormOptions  record: a folder for the threads with violations
 * @typedef {{ table: Record<string, number>, lost: number, doubled: number, orphans: number, violations: string[] }} StormSummary
 */

/**
 * Real agents ask, several people answer, and everything between them is killed again and again.
 * @param {StormOptions} options @returns {Promise<StormSummary>}
 */
export async function runStorm({
  prompts,
  threads: count,
  seed,
  atOnce = 6,
  signal,
  record,
  progress = () => {},
}) {
  const startedAt = performance.now();
  const scene = await Scene.open();
  scene.simulator.setScript(script);
  const ear = new ModelEar(scene.simulator);
  const keeper = new WorkerKeeper({
    home: await scene.makeFolder('home'),
    env: { ...scene.env, ...settings(atOnce) },
  });
  signal?.addEventListener('abort', () => void keeper.stop());
  /** @type {StormThread[]} */
  const threads = [];
  const watch = watchProgress({ threads, prompts, keeper, progress });
  try {
    for (let number = 1; number <= count; number += 1) {
      const workspace = await scene.makeFolder(`workspace-${number}`);
      const mark = scene.env['TEST_PROCESS_MARK'] ?? '';
      threads.push(new StormThread({ number, workspace, keeper, mark, dice: new Dice(seed + number) }));
    }
    const waiting = [...threads];
    const playOn = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await next.play(prompts / count);
    };
    await Promise.all(Array.from({ length: atOnce }, playOn));
    const verdict = new StormVerdict(ear);
    for (const thread of threads) {
      const before = verdict.violations.length;
      await verdict.judge(thread);
      if (record && verdict.violations.length > before)
        await keepRecord(join(record, `thread-${thread.number}`), thread, scene);
    }
    const table = await tableOf(threads, { keeper, ear });
    await keeper.leave();
    for (const fault of keeper.faults) verdict.add(fault);
    const orphans = await scene.orphans();
    for (const orphan of orphans) verdict.add(`a process was left: ${orphan}`);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    const { lost, doubled, violations } = verdict;
    return { table: { ...table, seconds }, lost, doubled, orphans: orphans.length, violations };
  } finally {
    clearInterval(watch);
    await keeper.stop();
    await sleep(0);
    await scene.close();
  }
}

/** What the thread holds, and what its agent has saved. @param {string} folder @param {StormThread} thread @param {Scene} scene */
async function keepRecord(folder, thread, scene) {
  const { attended, messages } = thread;
  const kept = { attended, messages, prompts: await thread.prompts(), events: await thread.events() };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'thread.json'), JSON.stringify(kept, undefined, 1));
  await cp(join(scene.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects'), join(folder, 'sessions'), {
    recursive: true,
    filter: (path) =>
      !path.includes('-workspace-') || new RegExp(`-workspace-${thread.number}(/|$)`).test(path),
  });
}

/** @param {number} atOnce */
function settings(atOnce) {
  return {
    HANDRAISE_HOLD_FOR_MINUTES: '0.02',
    HANDRAISE_SLOTS: String(atOnce),
    HANDRAISE_RETRIES: '5',
  };
}

/** @param {StormThread[]} threads @param {{ keeper: WorkerKeeper, ear: ModelEar }} watched */
async function tableOf(threads, { keeper, ear }) {
  /** @type {Record<string, number>} */
  const table = { threads: threads.length };
  const count = (/** @type {string} */ what, more = 1) => {
    table[what] = (table[what] ?? 0) + more;
  };
  const attended = threads.flatMap((thread) => thread.attended);
  count('prompts', attended.length);
  for (const { shape } of attended) count(`prompts, ${shape}`);
  for (const { found } of attended) count(`answered when the agent was ${found}`);
  for (const { tries } of attended) {
    for (const { reply } of tries) {
      if ('value' in reply) count('tries accepted');
      else if ('refused' in reply) count(`tries refused, ${reply.refused}`);
      else count('tries whose reply a kill took');
    }
  }
  for (const { messages } of threads) count('messages sent while the agent asked', messages.length);
  for (const { blows } of attended)
    for (const { blow, moment } of blows) count(`kills of ${blow}, when ${moment}`);
  count('kills of the worker', keeper.kills);
  for (const thread of threads) {
    const prompts = await thread.prompts();
    for (const { state } of prompts) count(`prompts ${state}`);
    for (const { outcome, attempts } of await thread.dispatches()) {
      count(`outcomes, ${outcome?.result}`);
      count('lives of agents', new Set(attempts.flatMap(({ runIds }) => runIds)).size);
    }
    count('approved actions carried out', thread.done());
  }
  count('requests to the model', ear.requests);
  return table;
}

/** @param {{ threads: StormThread[], prompts: number, keeper: WorkerKeeper, progress: (line: string) => void }} watched */
function watchProgress({ threads, prompts, keeper, progress }) {
  return setInterval(() => {
    const attended = threads.reduce((sum, thread) => sum + thread.attended.length, 0);
    progress(`${attended} of ${prompts} prompts, ${keeper.kills} kills of the worker`);
    for (const thread of threads) {
      if (thread.silentMs < stalledMs) continue;
      void thread.giveUp().then((standing) => keeper.faults.push(`nothing happened any more: ${standing}`));
    }
  }, lookMs);
}
