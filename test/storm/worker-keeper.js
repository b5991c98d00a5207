import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '../../dist/client/index.js';

const program = new URL('storm-worker.js', import.meta.url).pathname;
const lookAgainMs = 20;
const startRetries = 5;

/**
 * @typedef {import('./kill-schedule.js').KillPlan} KillPlan
 * @typedef {{ value: unknown } | { refused: string, detail: string } | { unknown: true }} Reply  what a request that is sent once came back with
 */

/** Keeps one worker running in a home, started anew whenever it was killed: as it was planned, or by a blow. */
export class WorkerKeeper {
  /** Kills that nobody had planned. */
  blows = 0;
  /** Workers that were asked to end with SIGTERM, and did. */
  terminated = 0;
  /** Workers that ended though nobody killed them, and words that nobody expects of one. @type {string[]} */
  faults = [];
  #home;
  #env;
  #settings;
  #schedule;
  #isOver = false;
  /** Whether the worker of now was asked to end. */
  #isAsked = false;
  /** @type {import('node:child_process').ChildProcessByStdio<import('node:stream').Writable, import('node:stream').Readable, import('node:stream').Readable> | null} */
  #child = null;
  /** What the worker of now is to die of. @type {KillPlan | null} */
  #plan = null;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #armed = () => {};
  /** @type {Client | null} */
  #client = null;
  /** @type {Promise<void>} */
  #kept;

  /** @param {{ home: string, env: Record<string, string>, settings: object, schedule: import('./kill-schedule.js').KillSchedule }} place */
  constructor({ home, env, settings, schedule }) {
    this.#home = home;
    this.#env = env;
    this.#settings = settings;
    this.#schedule = schedule;
    this.#kept = this.#keep();
  }

  get kills() {
    return this.blows + [...this.#schedule.done.values()].reduce((sum, count) => sum + count, 0);
  }

  kill() {
    if (!this.#client) return false;
    this.#client = null;
    this.blows += 1;
    this.#plan = null;
    return this.#child?.kill('SIGKILL') ?? false;
  }

  /** Asks the worker to end, as a service manager does; its agents stay. */
  terminate() {
    if (!this.#client) return false;
    this.#client = null;
    this.#isAsked = true;
    return this.#child?.kill('SIGTERM') ?? false;
  }

  /** Stops the worker for a while; what is asked of it meanwhile waits. @param {number} pauseMs */
  pause(pauseMs) {
    const child = this.#child;
    if (!this.#client || !child?.kill('SIGSTOP')) return false;
    setTimeout(() => child.kill('SIGCONT'), pauseMs);
    return true;
  }

  /** Has the worker of now die of this; one that is gone before it has heard of it died of its own plan. @param {KillPlan} plan */
  async arm(plan) {
    await this.#ready();
    const child = this.#child;
    if (!child) return;
    const heard = new Promise((resolve) => {
      this.#armed = () => resolve(true);
      child.once('close', () => resolve(false));
    });
    child.stdin.write(`${JSON.stringify(plan)}\n`);
    if ((await heard) && child === this.#child) this.#follow(plan);
  }

  /** Asks until a worker answers; for what may be asked twice. @template Value @param {(client: Client) => Promise<Value>} question @returns {Promise<Value>} */
  async ask(question) {
    for (;;) {
      const client = await this.#ready();
      try {
        return await question(client);
      } catch (error) {
        if (codeOf(error) !== 'unavailable') throw error;
        await sleep(lookAgainMs);
      }
    }
  }

  /** Asks once, whatever comes of it. @param {(client: Client) => Promise<unknown>} question @returns {Promise<Reply>} */
  async once(question) {
    const client = await this.#ready();
    try {
      return { value: await question(client) };
    } catch (error) {
      const code = codeOf(error);
      if (code === 'unavailable') return { unknown: true };
      return { refused: code, detail: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Ends the worker and its agents as a person would. */
  async leave() {
    await this.ask((client) => {
      this.#isOver = true;
      return client.shutdown({ stopAgents: true });
    });
    await this.#kept;
  }

  /** Ends it all at once. @param {string} [why] */
  async stop(why) {
    if (why) this.faults.push(why);
    this.#isOver = true;
    this.#child?.kill('SIGKILL');
    await this.#kept;
  }

  async #ready() {
    while (!this.#client) {
      if (this.#isOver) throw new Error(['There is no worker any more', ...this.faults].join('; '));
      await sleep(lookAgainMs);
    }
    return this.#client;
  }

  async #keep() {
    for (let failed = 0; !this.#isOver && failed < startRetries; ) {
      const plan = this.#schedule.next();
      const start = { home: this.#home, settings: this.#settings, plan };
      const child = spawn(process.execPath, [program, JSON.stringify(start)], {
        env: this.#env,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      this.#child = child;
      child.stdin.on('error', () => {});
      this.#follow(plan);
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text) => {
        said += text;
      });
      createInterface({ input: child.stdout }).on('line', (line) => {
        const { url } = JSON.parse(line);
        if (url === undefined) this.#armed();
        else
          this.#client = new Client({ url, token: readFileSync(join(this.#home, 'token'), 'utf8').trim() });
      });
      const { code, signal } = await new Promise((resolve) => {
        child.once('close', (exitCode, exitSignal) => resolve({ code: exitCode, signal: exitSignal }));
      });
      this.#client = null;
      clearTimeout(this.#timer);
      const wasAsked = this.#isAsked;
      this.#isAsked = false;
      if (signal === 'SIGKILL') {
        if (this.#plan) this.#schedule.count(this.#plan.moment);
      } else if (wasAsked && code === 0) {
        this.terminated += 1;
      } else if (!this.#isOver) {
        this.faults.push(`a worker ended with ${code ?? signal}: ${said}`);
        failed += 1;
      }
      for (const line of said.split('\n')) if (isFault(line)) this.faults.push(`a worker said: ${line}`);
    }
    this.#isOver = true;
  }

  /** @param {KillPlan | null} plan */
  #follow(plan) {
    clearTimeout(this.#timer);
    this.#plan = plan;
    const child = this.#child;
    if (plan?.moment === 'random') this.#timer = setTimeout(() => child?.kill('SIGKILL'), plan.after);
  }
}

/** @param {string} line */
function isFault(line) {
  return line.trim() !== '' && !line.includes('The worker is ready') && !line.includes('still at work');
}

/** @param {unknown} error */
function codeOf(error) {
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string')
    return error.code;
  throw error;
}
