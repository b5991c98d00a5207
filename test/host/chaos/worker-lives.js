import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const program = new URL('../worker-process.js', import.meta.url).pathname;
const startRetries = 5;

/**
 * @typedef {Record<string, unknown>} Word
 * @typedef {'random' | 'received' | 'committed' | 'acknowledged' | 'spawned' | 'signalled'} Moment
 * @typedef {{ moment: Moment, after: number } | null} KillPlan  after so many passes of the failpoint, or milliseconds
 * @typedef {{ home: string, workerId: string, runner: { file: string, args: string[] }, env: Record<string, string>, keepSpare?: string }} WorkerStart
 */

/** One worker after another on the same home; each is killed as planned, and the next one takes over. */
export class WorkerLives {
  /** @type {Map<Moment, number>} */
  kills = new Map();
  /** Workers that ended though nobody killed them. @type {string[]} */
  faults = [];
  /** Commands that runners refused to do again. */
  repeats = 0;
  /** @type {WorkerStart} */
  #start;
  /** @type {(done: ReadonlyMap<Moment, number>) => KillPlan} */
  #plan;
  /** @type {Life | null} */
  #life = null;
  /** @type {Promise<void>} */
  #kept;
  #isOver = false;

  /** @param {WorkerStart} start @param {(done: ReadonlyMap<Moment, number>) => KillPlan} plan */
  constructor(start, plan) {
    this.#start = start;
    this.#plan = plan;
    this.#kept = this.#keep();
  }

  get killed() {
    return [...this.kills.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Tells the worker of now; null when it died before it answered. @param {object} order */
  async ask(order) {
    while (!this.#life?.isOpen) {
      if (this.#isOver) throw new Error(['There is no worker any more', ...this.faults].join('; '));
      await sleep(10);
    }
    return await this.#life.ask(order);
  }

  /** Gives the worker of now the plan of now. */
  async rearm() {
    const life = this.#life;
    if (!life) return;
    const plan = this.#plan(this.kills);
    this.#schedule(life, plan);
    await life.ask({ do: 'arm', killAt: failpointOf(plan) });
  }

  /** Ends the last worker as a worker should end. */
  async leave() {
    this.#isOver = true;
    const life = this.#life;
    life?.leave();
    const exit = await life?.exited;
    if (exit?.code !== 0) this.faults.push(`the last worker ended with ${exit?.code ?? exit?.signal}`);
    await this.#kept;
  }

  /** Ends it all at once. @param {string} why */
  async stop(why) {
    if (!this.#isOver) this.faults.push(why);
    this.#isOver = true;
    this.#life?.kill();
    await this.#kept;
  }

  async #keep() {
    for (let failed = 0; !this.#isOver && failed < startRetries; ) {
      const plan = this.#plan(this.kills);
      const life = new Life({ ...this.#start, killAt: failpointOf(plan) }, () => {
        this.repeats += 1;
      });
      this.#schedule(life, plan);
      this.#life = life;
      const { code, signal } = await life.exited;
      this.#life = null;
      clearTimeout(life.timer);
      if (signal === 'SIGKILL' && life.plan) {
        this.kills.set(life.plan.moment, (this.kills.get(life.plan.moment) ?? 0) + 1);
      } else if (!this.#isOver) {
        this.faults.push(`a worker ended with ${code ?? signal}: ${life.stderr.trim()}`);
        failed += 1;
      }
      if (life.stderr !== '' && signal === 'SIGKILL')
        this.faults.push(`a worker said: ${life.stderr.trim()}`);
    }
    this.#isOver = true;
  }

  /** @param {Life} life @param {KillPlan} plan */
  #schedule(life, plan) {
    clearTimeout(life.timer);
    life.plan = plan;
    if (plan?.moment === 'random') life.timer = setTimeout(() => life.kill(), plan.after);
  }
}

/** One worker process. */
class Life {
  stderr = '';
  isOpen = false;
  /** @type {KillPlan} */
  plan = null;
  /** @type {NodeJS.Timeout | undefined} */
  timer;
  /** @type {Promise<{ code: number | null, signal: NodeJS.Signals | null }>} */
  exited;
  #child;
  /** @type {Map<number, (word: Word | null) => void>} */
  #waiting = new Map();
  #lastId = 0;

  /** @param {WorkerStart & { killAt: object | null }} start @param {() => void} repeated */
  constructor(start, repeated) {
    this.#child = spawn(process.execPath, [program, JSON.stringify({ ...start, quiet: true })], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child.stdin.on('error', () => {});
    this.#child.stderr.setEncoding('utf8').on('data', (text) => {
      this.stderr += text;
    });
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const word = wordOf(line);
      if ('opened' in word) this.isOpen = true;
      else if (word['aside'] === 'command_repeated') repeated();
      else if (typeof word['id'] === 'number') this.#answer(word['id'], word);
    });
    this.exited = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => {
        this.isOpen = false;
        for (const id of this.#waiting.keys()) this.#answer(id, null);
        resolve({ code, signal });
      });
    });
  }

  /** @param {object} order @returns {Promise<Word | null>} */
  ask(order) {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.tell({ ...order, id });
    });
  }

  /** @param {object} order */
  tell(order) {
    this.#child.stdin.write(`${JSON.stringify(order)}\n`);
  }

  kill() {
    this.#child.kill('SIGKILL');
  }

  leave() {
    this.#child.stdin.end();
  }

  /** @param {number} id @param {Word | null} word */
  #answer(id, word) {
    this.#waiting.get(id)?.(word);
    this.#waiting.delete(id);
  }
}

/** @param {KillPlan} plan */
function failpointOf(plan) {
  return plan && plan.moment !== 'random' ? { name: plan.moment, after: plan.after } : null;
}

/** A line that its writer's death tore says nothing. @param {string} line @returns {Word} */
function wordOf(line) {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}
