import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../dist/protocol/index.js';
import { runtimeEnvironment, startSimulator, writeRuntimeFiles } from '../../dist/simulator/index.js';
import { Host } from '../runner/host.js';
import { ControlledProcess } from './controlled-process.js';

const runnerFile = new URL('../../bin/handraise-runner.js', import.meta.url).pathname;
const bareFile = new URL('../runner/bare.js', import.meta.url).pathname;
const source = { now: () => Date.now(), randomBytes };

/**
 * New thread to first text: a bare script on the SDK, our worker without a spare runner and with one, taking turns.
 * @param {string} folder @param {number} rounds
 */
export async function measureStarts(folder, rounds) {
  const simulator = await startSimulator({ keep: 0 });
  const environment = runtimeEnvironment('claude', { url: simulator.url, home: join(folder, 'agents') });
  mkdirSync(join(folder, 'agents'), { recursive: true });
  await writeRuntimeFiles(environment);
  const env = { PATH: process.env['PATH'] ?? '', IS_SANDBOX: '1', ...environment.env };
  const cold = await Starter.open({ folder: join(folder, 'cold'), env });
  const warm = await Starter.open({ folder: join(folder, 'warm'), env, keepSpare: 'claude' });
  /** @type {Record<'bare' | 'cold' | 'warm', number[]>} */
  const times = { bare: [], cold: [], warm: [] };
  try {
    for (let round = 0; round < rounds; round += 1) {
      times.bare.push(await bareStart(folder, env));
      times.cold.push(await cold.start());
      times.warm.push(await warm.start());
    }
    return times;
  } finally {
    await cold.close();
    await warm.close();
    await simulator[Symbol.asyncDispose]();
  }
}

/** @param {string} cwd @param {Record<string, string>} env */
async function bareStart(cwd, env) {
  const host = new Host([bareFile], { cwd, env });
  const { firstTextSinceStart } = await host.turn('[[text hello]]');
  await host.close();
  return firstTextSinceStart;
}

/** A worker that starts one real run after the other. */
class Starter {
  #worker;
  #folder;

  /** @param {ControlledProcess} worker @param {string} folder */
  constructor(worker, folder) {
    this.#worker = worker;
    this.#folder = folder;
  }

  /** @param {{ folder: string, env: Record<string, string>, keepSpare?: string }} options */
  static async open({ folder, env, keepSpare }) {
    mkdirSync(folder, { mode: 0o700 });
    const runner = { file: process.execPath, args: [runnerFile] };
    const given = { home: folder, runs: [], runner, env, ...(keepSpare ? { keepSpare } : {}) };
    const worker = new ControlledProcess(new URL('./worker.js', import.meta.url), given);
    await worker.next();
    return new Starter(worker, folder);
  }

  async start() {
    const threadId = newId('thread', source);
    const cwd = join(this.#folder, threadId);
    mkdirSync(cwd);
    const startedAt = performance.now();
    let word = await this.#worker.ask({ order: 'start', threadId, cwd, content: '[[text hello]]' });
    const runId = word.started;
    while (!word.text) word = await this.#worker.next();
    const ms = performance.now() - startedAt;
    // The run is ended before the next begins; by then a new spare has loaded, as it has in real life.
    await this.#worker.ask({ order: 'end', runId });
    return ms;
  }

  async close() {
    await this.#worker.end();
  }
}
