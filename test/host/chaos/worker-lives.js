import { setTimeout as sleep } from 'node:timers/promises';
import { WorkerLife } from './worker-life.js';

const startRetries = 5;

/**
 * @typedef {import('./worker-life.js').Moment} Moment
 * @typedef {import('./worker-life.js').KillPlan} KillPlan
 */

/** One worker after another on the same home; each is killed as planned, and the next one takes over. */
export class WorkerLives {
  /** @type {Map<Moment, number>} */
  kills = new Map();
  /** Workers that ended though nobody killed them. @type {string[]} */
  faults = [];
  /** Commands that runners refused to do again. */
  repeats = 0;
  /** @type {import('./worker-life.js').WorkerStart} */
  #start;
  /** @type {(done: ReadonlyMap<Moment, number>) => KillPlan} */
  #plan;
  /** @type {WorkerLife | null} */
  #life = null;
  /** @type {Promise<void>} */
  #kept;
  #isOver = false;

  /** @param {import('./worker-life.js').WorkerStart} start @param {(done: ReadonlyMap<Moment, number>) => KillPlan} plan */
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
    // One that dies before it has heard of the new plan died of the old one.
    if (await life.ask({ do: 'arm', killAt: failpointOf(plan) })) this.#schedule(life, plan);
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
      const life = new WorkerLife({ ...this.#start, killAt: failpointOf(plan) }, () => {
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

  /** @param {WorkerLife} life @param {KillPlan} plan */
  #schedule(life, plan) {
    clearTimeout(life.timer);
    life.plan = plan;
    if (plan?.moment === 'random') life.timer = setTimeout(() => life.kill(), plan.after);
  }
}

/** @param {KillPlan} plan */
function failpointOf(plan) {
  return plan && plan.moment !== 'random' ? { name: plan.moment, after: plan.after } : null;
}
