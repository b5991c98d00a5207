/** Random numbers that a seed repeats (mulberry32). */
export class Dice {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** A whole number from low to high, both included. @param {number} low @param {number} high */
  between(low, high) {
    return low + Math.floor(this.#next() * (high - low + 1));
  }

  /** @template Each @param {readonly [Each, ...Each[]]} choices @returns {Each} */
  pick(choices) {
    return choices[this.between(0, choices.length - 1)] ?? choices[0];
  }

  #next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
