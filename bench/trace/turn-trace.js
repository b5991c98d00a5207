import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../shared/median.js';

/** @typedef {{ at: number, place: string, what: string, detail?: string, pages?: number, bytes?: number }} Mark */
/** @typedef {{ sentAt: number, until: number }} Turn */

/** Everything that the probes wrote, in the order of time. @param {string} folder @returns {Mark[]} */
export function marksIn(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => /** @type {Mark} */ (JSON.parse(line)))
    .toSorted((one, other) => one.at - other.at);
}

export const countNames = /** @type {const} */ ({
  commits: 'commits, each with one sync of the log',
  commitsDown: 'of these before the message is on the runner’s socket',
  pages: 'pages written',
  messages: 'messages between threads',
  messagesDown: 'of these on the way down',
  spoolSyncs: 'syncs of the runner’s spool',
});

/** What one turn cost, in things that do not depend on how busy the machine is. @param {readonly Mark[]} marks */
export function countsOf(marks) {
  const count = (/** @type {string} */ place, /** @type {string} */ what) =>
    marks.filter((mark) => mark.place === place && mark.what === what).length;
  const untilMessage = marks.findIndex(
    ({ place, what, detail }) => place === 'worker' && what === 'socket out' && detail?.includes('message'),
  );
  const down = marks.slice(0, untilMessage + 1);
  return {
    commits: count('store', 'committed'),
    commitsDown: down.filter(({ what }) => what === 'committed').length,
    pages: marks.reduce((sum, { pages = 0 }) => sum + pages, 0),
    messages: marks.filter(betweenThreads).length,
    messagesDown: down.filter(betweenThreads).length,
    spoolSyncs: count('runner', 'sync'),
  };
}

/** The median and the lowest of each count; what else the worker does meanwhile can only add. @param {readonly ReturnType<typeof countsOf>[]} turns */
export function summedUp(turns) {
  const names = /** @type {(keyof typeof countNames)[]} */ (Object.keys(countNames));
  const each = (/** @type {(values: number[]) => number} */ of) =>
    Object.fromEntries(names.map((name) => [name, of(turns.map((turn) => turn[name]))]));
  return { medians: each(median), lowest: each((values) => Math.min(...values)) };
}

/** One turn as lines: when, where, what. @param {readonly Mark[]} marks @param {number} sentAt */
export function timeline(marks, sentAt) {
  return marks.map(({ at, place, what, detail = '', pages }) => {
    const more = pages === undefined ? detail : `${pages} pages`;
    return `${(at - sentAt).toFixed(1).padStart(8)} ms  ${place.padEnd(7)}${what.padEnd(12)}${more.slice(0, 150)}`;
  });
}

/** @param {Mark} mark */
function betweenThreads({ what }) {
  return what === 'to store' || what === 'from store';
}
