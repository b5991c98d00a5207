import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { SqliteStore } from '../../dist/store/sqlite/sqlite-store.js';
import { alternate, Comparison } from '../shared/comparison.js';
import { benchWorker, queuedRow, threadRow } from '../shared/rows.js';

const kinds = /** @type {const} */ (['raw libsql', 'store']);
const count = 500;

/**
 * How many queued dispatches a worker can take in a second, each durable before it is handed out, beside the shortest
 * statement that takes rows from a queue. The store also keeps threads in order and workspaces apart.
 * @param {string} folder @param {number} rounds
 */
export async function measureClaims(folder, rounds) {
  const results = new Comparison(kinds);
  await alternate(rounds, kinds, async (kind, round) => {
    const place = join(folder, `claims-${kind}-${round}`);
    mkdirSync(place);
    const claims = kind === 'store' ? storeClaims : rawClaims;
    const { oneByOne, tenAtOnce } = await claims(join(place, 'store.db'));
    results.record('claims per second, one by one', kind, oneByOne);
    results.record('claims per second, ten at once', kind, tenAtOnce);
  });
  return results;
}

/** @param {string} file */
async function storeClaims(file) {
  const store = await SqliteStore.open({ file, worker: benchWorker() });
  try {
    await Promise.all(Array.from({ length: count * 2 }, (_, index) => queueWork(store, `/work/${index}`)));
    return await bothPerSecond((limit) => claim(store, limit));
  } finally {
    await store.close();
  }
}

/** Queues work for a new thread in a workspace. @param {SqliteStore} store @param {string} path */
export async function queueWork(store, path) {
  const createdAt = new Date().toISOString();
  const thread = threadRow({ path, createdAt });
  const dispatch = queuedRow({ threadId: thread.id, createdAt });
  await store.commit({
    operations: [
      { do: 'insertThread', thread },
      { do: 'insertDispatch', dispatch },
    ],
  });
}

/** Takes so much of the queue, and says how much it got. @param {SqliteStore} store @param {number} limit */
export async function claim(store, limit) {
  const now = new Date();
  const until = new Date(now.getTime() + 3_600_000).toISOString();
  const claimed = await store.commit({
    operations: [{ do: 'claimDispatches', limit, now: now.toISOString(), until }],
  });
  return claimed.committed ? claimed.results[0].length : 0;
}

/** @param {string} file */
async function rawClaims(file) {
  const database = new Database(file);
  database.pragma('locking_mode = EXCLUSIVE');
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(`create table queue (n integer primary key, state text not null, priority integer not null, worker text);
    create index queued on queue (priority desc, n) where state = 'queued'; begin`);
  const insert = database.prepare(`insert into queue (state, priority) values ('queued', 0)`);
  for (let row = 0; row < count * 2; row += 1) insert.run();
  database.exec('commit');
  const take = database.prepare(`update queue set state = 'running', worker = 'bench' where n in
    (select n from queue where state = 'queued' order by priority desc, n limit ?) returning n`);
  const taken = await bothPerSecond(async (limit) => take.all(limit).length);
  database.close();
  return taken;
}

/** @param {(limit: number) => Promise<number>} claim */
async function bothPerSecond(claim) {
  return { oneByOne: await perSecond(claim, 1), tenAtOnce: await perSecond(claim, 10) };
}

/** @param {(limit: number) => Promise<number>} claim @param {number} limit */
async function perSecond(claim, limit) {
  const startedAt = performance.now();
  for (let claimed = 0; claimed < count; ) {
    const more = await claim(limit);
    if (more === 0) throw new Error(`only ${claimed} of ${count} could be claimed`);
    claimed += more;
  }
  return (count / (performance.now() - startedAt)) * 1000;
}
