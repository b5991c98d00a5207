import { median } from './median.js';

const nameWidth = 50;
const columnWidth = 14;

/** The same things measured of a baseline and of ours, taking turns. */
export class Comparison {
  #kinds;
  /** @type {Map<string, Map<string, number[]>>} */
  #rows = new Map();

  /** @param {readonly [string, string]} kinds the baseline, then ours */
  constructor(kinds) {
    this.#kinds = kinds;
  }

  /** @param {string} row @param {string} kind @param {number} value */
  record(row, kind, value) {
    const kinds = this.#rows.get(row) ?? new Map();
    this.#rows.set(row, kinds);
    kinds.set(kind, [...(kinds.get(kind) ?? []), value]);
  }

  /** @param {string} row @param {string} kind */
  median(row, kind) {
    return median(this.#rows.get(row)?.get(kind) ?? []);
  }

  /** Medians and their ratios, as a table. */
  lines() {
    const rows = [...this.#rows.keys()].map((row) => {
      const [base, ours] = this.#kinds.map((kind) => this.median(row, kind));
      const ratio = (ours ?? Number.NaN) / (base ?? Number.NaN);
      return [row, digits(base), digits(ours), Number.isNaN(ratio) ? '' : ratio.toFixed(2)];
    });
    return [['', ...this.#kinds, 'ratio'], ...rows].map(([name = '', ...cells]) =>
      [name.padEnd(nameWidth), ...cells.map((cell) => cell.padStart(columnWidth))].join('').trimEnd(),
    );
  }

  /** How far the rounds of each value lie apart too. */
  toJSON() {
    const rows = [...this.#rows].map(([row, kinds]) => [
      row,
      Object.fromEntries([...kinds].map(([kind, values]) => [kind, spread(values)])),
    ]);
    return Object.fromEntries(rows);
  }
}

/**
 * Goes round by round through every kind, every other round backwards, so that none always comes second.
 * @template {string} Kind @param {number} rounds @param {readonly Kind[]} kinds
 * @param {(kind: Kind, round: number) => Promise<void>} body
 */
export async function alternate(rounds, kinds, body) {
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) await body(kind, round);
  }
}

/** @param {number[]} values */
function spread(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return { median: median(values), low, high, rounds: values.length };
}

/** @param {number | undefined} value */
function digits(value = Number.NaN) {
  return Number.isNaN(value) ? '' : value.toFixed(value < 10 ? 2 : value < 1000 ? 1 : 0);
}
