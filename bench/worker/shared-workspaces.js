import { join } from 'node:path';
import { SqliteStore } from '../../dist/store/sqlite/sqlite-store.js';
import { workspaces } from '../shared/filled-store.js';
import { median } from '../shared/median.js';
import { benchWorker } from '../shared/rows.js';
import { claim, queueWork } from './claims.js';

/**
 * How long a claim takes in a workspace in which many other threads have worked: the store must see that none of them
 * is at work now.
 * @param {string} home
 */
export async function measureSharedWorkspaces(home) {
  const store = await SqliteStore.open({ file: join(home, 'store.db'), worker: benchWorker() });
  const times = [];
  try {
    for (let index = 0; index < workspaces; index += 1) {
      await queueWork(store, `/work/${index}`);
      const startedAt = performance.now();
      if ((await claim(store, 1)) !== 1) throw new Error('the work could not be claimed');
      times.push(performance.now() - startedAt);
    }
    return median(times);
  } finally {
    await store.close();
  }
}
