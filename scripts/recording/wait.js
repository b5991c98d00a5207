import { setTimeout as sleep } from 'node:timers/promises';

// Longer than any step of a recording takes on a busy machine; a recording that stands still has to say where.
const patienceMs = 300_000;

/**
 * Waits for something that a recording needs, and gives up with a sentence that names it and shows what was seen last.
 * @template T
 * @param {string} what
 * @param {() => T | undefined | false | Promise<T | undefined | false>} look
 * @param {{ seen?: () => string | Promise<string>, everyMs?: number }} [options]
 * @returns {Promise<T>}
 */
export async function until(what, look, { seen, everyMs = 100 } = {}) {
  for (const start = Date.now(); ; await sleep(everyMs)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() - start < patienceMs) continue;
    const last = seen === undefined ? '' : ` Seen last:\n${await seen()}`;
    throw new Error(`Waited five minutes, and it was never so: ${what}.${last}`);
  }
}
