// The world of a scripted month: what time it is, and until when the account of the agents is limited. A file that is replaced as a
// whole, so that every process of it sees the same clock.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';

/** @typedef {{ readonly now: number, readonly limitedUntil: number }} World */

/** @param {string} file @param {World} world */
export function writeWorld(file, world) {
  writeFileSync(`${file}.new`, JSON.stringify(world));
  renameSync(`${file}.new`, file);
}

/** @param {string} file @returns {World} */
export function readWorld(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** From here on this process lives in that world. @param {string} file */
export function liveIn(file) {
  Date.now = () => readWorld(file).now;
}
