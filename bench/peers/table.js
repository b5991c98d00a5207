import { median } from '../shared/median.js';

const nameWidth = 42;
const columnWidth = 20;

/** What was measured of several hosts; the first is what the others are compared with. */
export class Table {
  #hosts;
  /** @type {Map<string, Map<string, number[]>>} */
  #rows = new Map();

  /** @param {readonly string[]} hosts */
  constructor(hosts) {
    this.#hosts = hosts;
  }

  /** @param {string} row @param {string} host @param {number} value */
  record(row, host, value) {
    const values = this.#rows.get(row) ?? new Map();
    this.#rows.set(row, values);
    values.set(host, [...(values.get(host) ?? []), value]);
  }

  /** How many times the median of the first host this host's is. @param {string} row @param {string} host */
  ratio(row, host) {
    return this.#median(row, host) / this.#median(row, this.#hosts[0] ?? '');
  }

  lines() {
    const rows = [...this.#rows.keys()].map((row) => [
      row,
      ...this.#hosts.map((host, place) => {
        const value = this.#median(row, host);
        const ratio = this.ratio(row, host);
        if (Number.isNaN(value)) return '–';
        return place === 0 || Number.isNaN(ratio)
          ? digits(value)
          : `${digits(value)} (${ratio.toFixed(2)} ×)`;
      }),
    ]);
    return [['', ...this.#hosts], ...rows].map(([name = '', ...cells]) =>
      [name.padEnd(nameWidth), ...cells.map((cell) => cell.padStart(columnWidth))].join(''),
    );
  }

  /** How far the rounds of each value lie apart, too. */
  toJSON() {
    return Object.fromEntries(
      [...this.#rows].map(([row, hosts]) => [
        row,
        Object.fromEntries(
          [...hosts].map(([host, values]) => [
            host,
            {
              median: median(values),
              low: Math.min(...values),
              high: Math.max(...values),
              rounds: values.length,
            },
          ]),
        ),
      ]),
    );
  }

  /** @param {string} row @param {string} host */
  #median(row, host) {
    return median(this.#rows.get(row)?.get(host) ?? []);
  }
}

/** @param {number} value */
function digits(value) {
  return value.toFixed(value < 10 ? 2 : value < 1000 ? 1 : 0);
}
