import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteStore } from '../../dist/store/sqlite/sqlite-store.js';

/**
 * @typedef {import('../../dist/protocol/index.js').Prompt} Prompt
 * @typedef {import('../../dist/protocol/index.js').Dispatch} Dispatch
 * @typedef {{ id: string, lastRunSeq: number, process?: { pid: number, startTime: string }, endedAt?: string, killIntent?: object, exit?: object }} Run
 * @typedef {{ seq: number, runId?: string, runSeq: number | null, type: string, [field: string]: unknown }} Event
 */

/**
 * All that is known of one thread in the end: what was done to it, what is stored, what lies in its folder.
 * @typedef {object} Evidence
 * @property {number} number
 * @property {boolean} acts
 * @property {import('./storm-thread.js').Attended[]} attended
 * @property {import('./storm-thread.js').Message[]} messages
 * @property {import('./storm-thread.js').Work[]} works
 * @property {string[]} runners
 * @property {Prompt[]} prompts
 * @property {Dispatch[]} dispatches
 * @property {Event[]} events
 * @property {Run[]} runs
 * @property {string[]} log  what its approved commands and its tools wrote down
 */

/** What a thread has at hand while its worker runs. @param {import('./storm-thread.js').StormThread} thread */
export async function askedOf(thread) {
  const { number, acts, attended, messages, works, runners, workspace } = thread;
  const [prompts, dispatches] = [await thread.prompts(), await thread.dispatches()];
  return {
    id: thread.id,
    number,
    acts,
    attended,
    messages,
    works,
    runners,
    prompts,
    dispatches,
    log: logIn(workspace),
  };
}

/** The rest of it, from the store that the last worker left. @param {string} home @param {Awaited<ReturnType<typeof askedOf>>[]} asked @returns {Promise<Evidence[]>} */
export async function evidenceOf(home, asked) {
  const worker = {
    id: /** @type {any} */ (readFileSync(join(home, 'worker-id'), 'utf8').trim()),
    name: 'verdict',
    startedAt: new Date().toISOString(),
  };
  const store = await SqliteStore.open({ file: join(home, 'store.db'), worker });
  try {
    const evidence = [];
    for (const { id, ...known } of asked) {
      if (!id) throw new Error(`thread ${known.number} never began`);
      const { rows } = await store.query('runs', { threadId: id });
      evidence.push({ ...known, runs: /** @type {Run[]} */ ([...rows]), events: await eventsOf(store, id) });
    }
    return evidence;
  } finally {
    await store.close();
  }
}

/** @param {SqliteStore} store @param {NonNullable<import('./storm-thread.js').StormThread['id']>} threadId */
async function eventsOf(store, threadId) {
  /** @type {Event[]} */
  const events = [];
  for (;;) {
    const part = await store.query('events', { threadId, after: events.at(-1)?.seq ?? 0, limit: 1000 });
    if (part.length === 0) return events;
    events.push(...part.map(({ json, seq, runId, runSeq }) => ({ ...JSON.parse(json), seq, runId, runSeq })));
  }
}

/** @param {string} workspace */
function logIn(workspace) {
  try {
    return readFileSync(join(workspace, 'log.txt'), 'utf8').trim().split('\n');
  } catch {
    return [];
  }
}
