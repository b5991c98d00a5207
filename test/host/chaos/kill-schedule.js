/**
 * @typedef {import('./worker-life.js').KillPlan} KillPlan
 * @typedef {ReadonlyMap<import('./worker-life.js').Moment, number>} Kills
 */

const share = { spawned: 0.1, signalled: 0.1 };
/** @type {readonly ['random', 'received', 'committed', 'acknowledged']} */
const atWork = ['random', 'received', 'committed', 'acknowledged'];

/** When each worker is to die: at a start's failpoint, anywhere in the work, at an end's failpoint. */
export class KillSchedule {
  /** @type {'begin' | 'work' | 'end' | 'over'} */
  phase = 'begin';
  #kills;
  #dice;
  #turn = 0;

  /** @param {number} kills @param {import('./dice.js').Dice} dice */
  constructor(kills, dice) {
    this.#kills = kills;
    this.#dice = dice;
  }

  /** @param {Kills} done @returns {KillPlan} */
  next(done) {
    switch (this.phase) {
      case 'begin':
        return this.#upTo('spawned', done);
      case 'work':
        return this.isWorkDone(done) ? null : this.#anywhere();
      case 'end':
        return this.#upTo('signalled', done);
      default:
        return null;
    }
  }

  /** Whether no worker has to die over a start any more. @param {Kills} done */
  isBegun(done) {
    return (done.get('spawned') ?? 0) >= this.#few('spawned');
  }

  /** @param {Kills} done */
  isWorkDone(done) {
    const total = [...done.values()].reduce((sum, count) => sum + count, 0);
    return total >= this.#kills - this.#few('signalled');
  }

  /** @param {'spawned' | 'signalled'} moment @param {Kills} done @returns {KillPlan} */
  #upTo(moment, done) {
    const left = this.#few(moment) - (done.get(moment) ?? 0);
    return left > 0 ? { moment, after: 1 } : null;
  }

  /** Each moment in its turn, so that none is forgotten. @returns {KillPlan} */
  #anywhere() {
    const moment = atWork[this.#turn++ % atWork.length] ?? 'random';
    return { moment, after: moment === 'random' ? this.#dice.between(0, 1500) : this.#dice.between(1, 25) };
  }

  /** @param {'spawned' | 'signalled'} moment */
  #few(moment) {
    return Math.ceil(this.#kills * share[moment]);
  }
}
