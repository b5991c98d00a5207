import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { markedPids } from '../../dist/process/families/process-table.js';
import { runtimeEnvironment, startSimulator, writeRuntimeFiles } from '../../dist/simulator/index.js';
import { stormRuntimes } from './storm-runtimes.js';

// The last children of an agent go a moment after it; what is there after this stays there.
const graceMs = 10_000;

/** A simulator, a private folder, and an environment whose mark finds every process that was started in it. */
export class Scene {
  #folder;
  #mark;

  /** @param {{ folder: string, simulator: import('../../dist/simulator/index.js').Simulator, env: Record<string, string>, mark: { name: string, value: string } }} made */
  constructor({ folder, simulator, env, mark }) {
    this.#folder = folder;
    this.simulator = simulator;
    this.env = env;
    this.#mark = mark;
  }

  /** For agents of one runtime. */
  static async open(runtime = stormRuntimes.claude) {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'storm-')));
    const simulator = await startSimulator({ keep: 50 });
    const mark = { name: 'TEST_PROCESS_MARK', value: randomUUID() };
    const environment = runtimeEnvironment(runtime.steered, {
      url: simulator.url,
      home: join(folder, 'agents'),
    });
    await mkdir(join(folder, 'agents'));
    await writeRuntimeFiles(environment);
    await runtime.equip?.(environment.env);
    const env = {
      PATH: process.env['PATH'] ?? '',
      // Claude Code refuses bypassPermissions to root unless it is told that it sits in a sandbox.
      IS_SANDBOX: '1',
      ...environment.env,
      ...runtime.env(),
      [mark.name]: mark.value,
    };
    return new Scene({ folder, simulator, env, mark });
  }

  /** What every process that was started here has in its environment. */
  get mark() {
    return this.#mark.value;
  }

  /** @param {string} name */
  async makeFolder(name) {
    const path = join(this.#folder, name);
    await mkdir(path, { mode: 0o700 });
    return path;
  }

  /** The processes that are there though everything has ended. */
  async orphans() {
    const start = performance.now();
    while (markedPids(this.#mark).size > 0 && performance.now() - start < graceMs) await sleep(50);
    return [...markedPids(this.#mark)].map((pid) => `${pid} ${commandLine(pid)}`);
  }

  async close() {
    for (const pid of markedPids(this.#mark)) kill(pid);
    await this.simulator[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @param {number} pid */
function commandLine(pid) {
  return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).trim();
}

/** @param {number} pid */
function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}
