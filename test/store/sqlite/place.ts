import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import type { StorePlace } from '../../contract/store/place.js';
import { at, id } from '../../contract/store/records.js';

// A thread is loaded by Node itself, which reads no TypeScript: tests use the built one.
export const program = new URL('../../../dist/store/sqlite/store-thread.js', import.meta.url);

/** A database file in a folder of its own. */
export interface SqlitePlace extends StorePlace {
  readonly folder: string;
  readonly file: string;
  open(worker?: { readonly name: string }): Promise<SqliteStore>;
}

export async function sqlitePlace(): Promise<SqlitePlace> {
  const folder = await mkdtemp(join(tmpdir(), 'handraise-store-'));
  const file = join(folder, 'home', 'handraise.db');
  return {
    folder,
    file,
    open: ({ name } = { name: 'here' }) =>
      SqliteStore.open({ file, worker: { id: id('worker'), name, startedAt: at(0) }, program }),
    remove: () => rm(folder, { recursive: true }),
  };
}
