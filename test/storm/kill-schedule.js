/**
 * @typedef {'random' | 'received' | 'committed' | 'acknowledged' | 'spawned' | 'signalled'} Moment
 * @typedef {{ readonly moment: Moment, readonly after: number }} KillPlan  after so many times that the moment has come, or milliseconds
 */

const share = { spawned: 0.1, signalled: 0.1 };
/** @type {readonly ['random', 'received', 'committed', 'acknowledged']} */
const atWork = ['random', 'received', 'committed', 'acknowledged'];

/** When workers are to die: some at the start of a runner, most anywhere in the work, some at the end of a run. */
export class KillSchedule {
  /** The kills so far. @type {Map<Moment, number>} */
  done = new Map();
  #kills;
  #dice;
  #turn = 0;

  /** @param {number} kills @param {import('./dice.js').Dice} dice */
  constructor(kills, dice) {
    this.#kills = kills;
    this.#dice = dice;
  }

  /** The plan of a worker that starts. @returns {KillPlan | null} */
  next() {
    if (this.#left('spawned') > 0) return { moment: 'spawned', after: 1 };
    return this.#isWorkDone() ? null : this.#anywhere();
  }

  /** The plan of a worker that is about to end a run; null when none has to die over that. @returns {KillPlan | null} */
  atAnEnd() {
    return this.#left('signalled') > 0 ? { moment: 'signalled', after: 1 } : null;
  }

  /** Whether no worker has to die over the start of a runner any more. */
  get isBegun() {
    return this.#left('spawned') <= 0;
  }

  /** @param {Moment} moment */
  count(moment) {
    this.done.set(moment, (this.done.get(moment) ?? 0) + 1);
  }

  /** Whether a thread may end: it has had its part of the kills. @param {number} endedThreads @param {number} threads */
  isEnough(endedThreads, threads) {
    const due = (this.#kills - this.#few('signalled')) * ((endedThreads + 1) / threads);
    return this.#atWork() >= Math.floor(due);
  }

  #isWorkDone() {
    return this.#atWork() >= this.#kills - this.#few('signalled');
  }

  /** All but those over an end. */
  #atWork() {
    return [...this.done].reduce((sum, [moment, count]) => (moment === 'signalled' ? sum : sum + count), 0);
  }

  /** Each moment in its turn, so that none is forgotten. @returns {KillPlan} */
  #anywhere() {
    const moment = atWork[this.#turn++ % atWork.length] ?? 'random';
    return { moment, after: moment === 'random' ? this.#dice.between(0, 1500) : this.#dice.between(1, 25) };
  }

  /** @param {'spawned' | 'signalled'} moment */
  #left(moment) {
    return this.#few(moment) - (this.done.get(moment) ?? 0);
  }

  /** @param {'spawned' | 'signalled'} moment */
  #few(moment) {
    return Math.ceil(this.#kills * share[moment]);
  }
}
