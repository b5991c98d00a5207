// How long an answer takes to the model: POST answer through the worker, against the same answer written to a runner over stdio.
// Both answer real agents on the same simulator, turn by turn, so that a busy machine is busy for both.
// Usage: node scripts/answer-latency.js [--rounds 30]
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Dice } from '../test/storm/dice.js';
import { KillSchedule } from '../test/storm/kill-schedule.js';
import { Scene } from '../test/storm/scene.js';
import { WorkerKeeper } from '../test/storm/worker-keeper.js';

const runnerFile = new URL('../bin/handraise-runner.js', import.meta.url).pathname;
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '30' } } });
const rounds = Number(values.rounds);
const warmUps = 3;

/** When the model was given the answer to a question. @param {Scene} scene @param {string} question @returns {Promise<number>} */
async function heard(scene, question) {
  let at = 0;
  await scene.simulator.waitFor(({ conversation }) => {
    const last = conversation?.entries.findLast(({ kind }) => kind === 'toolResult');
    if (last?.kind !== 'toolResult' || !last.text.includes(question)) return false;
    at = performance.now();
    return true;
  });
  return at;
}

/** @param {string} question */
const work = (question) => `[[ask ${question} | Yes | No]] [[next]] [[text Over.]]`;

/** A thread of the worker. @param {Scene} scene @param {WorkerKeeper} keeper @param {string} path */
async function viaWorker(scene, keeper, path) {
  /** @type {any} */
  let place = { workspace: { path } };
  return async (/** @type {string} */ question) => {
    const { id, threadId } = await keeper.ask((client) =>
      client.dispatches.submit({ text: work(question), ...place }),
    );
    place = { thread: threadId };
    let [prompt] = await keeper.ask((client) => client.prompts.open({ thread: threadId }));
    while (!prompt) [prompt] = await keeper.ask((client) => client.prompts.open({ thread: threadId }));
    const promptId = prompt.id;
    const start = performance.now();
    const [, at] = await Promise.all([
      keeper.ask((client) => client.prompts.answer(promptId, { text: 'Yes' })),
      heard(scene, question),
    ]);
    await keeper.ask((client) => client.dispatches.ended(id));
    return at - start;
  };
}

/** A runner that this process is the parent of. @param {Scene} scene @param {string} path */
async function viaStdio(scene, path) {
  const runner = spawn(
    process.execPath,
    [runnerFile, '--runtime', 'claude', '--cwd', path, '--conversation-id', 'floor'],
    {
      env: scene.env,
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  /** @type {((event: any) => void)[]} */
  let listeners = [];
  createInterface({ input: runner.stdout }).on('line', (line) => {
    const event = JSON.parse(line);
    for (const listener of listeners) listener(event);
  });
  const next = (/** @type {string} */ type) =>
    new Promise((/** @type {(event: any) => void} */ resolve) => {
      const listener = (/** @type {any} */ event) => {
        if (event.type !== type) return;
        listeners = listeners.filter((each) => each !== listener);
        resolve(event);
      };
      listeners.push(listener);
    });
  const send = (/** @type {object} */ command) => runner.stdin.write(`${JSON.stringify(command)}\n`);
  const ask = async (/** @type {string} */ question) => {
    const asked = next('user_question_request');
    send({ type: 'message', content: work(question) });
    const { requestId } = await asked;
    const over = next('turn_complete');
    const start = performance.now();
    send({ type: 'user_question_response', questionRequestId: requestId, answers: { [question]: 'Yes' } });
    const at = await heard(scene, question);
    await over;
    return at - start;
  };
  return { ask, end: () => runner.stdin.end() };
}

const scene = await Scene.open();
const home = await scene.makeFolder('home');
const settings = { port: 0, allowedHosts: [], slots: 4, retries: 2, idleTimeoutMinutes: 15, keepSpare: true };
const schedule = new KillSchedule(0, new Dice(0));
const keeper = new WorkerKeeper({ home, env: scene.env, settings, schedule });
try {
  const worker = await viaWorker(scene, keeper, await scene.makeFolder('worker'));
  const stdio = await viaStdio(scene, await scene.makeFolder('stdio'));
  /** @type {Record<'worker' | 'stdio', number[]>} */
  const times = { worker: [], stdio: [] };
  for (let round = 0; round < rounds + warmUps; round += 1) {
    const both = [await worker(`Worker question ${round}?`), await stdio.ask(`Runner question ${round}?`)];
    if (round < warmUps) continue;
    times.worker.push(both[0] ?? 0);
    times.stdio.push(both[1] ?? 0);
  }
  stdio.end();
  await keeper.leave();
  console.log('| answer to the next model request, ms | p50 | p95 |\n| --- | --- | --- |');
  for (const [name, all] of Object.entries(times))
    console.log(`| ${name} | ${at(all, 0.5).toFixed(1)} | ${at(all, 0.95).toFixed(1)} |`);
  const ratio = (/** @type {number} */ share) => at(times.worker, share) / at(times.stdio, share);
  console.log(`| ratio | ${ratio(0.5).toFixed(2)} | ${ratio(0.95).toFixed(2)} |`);
} finally {
  await keeper.stop();
  await scene.close();
}

/** @param {readonly number[]} numbers @param {number} share */
function at(numbers, share) {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
