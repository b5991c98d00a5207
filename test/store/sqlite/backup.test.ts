import { existsSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ThreadId } from '../../../src/protocol/id.js';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { at, id, newDispatch, newThread } from '../../contract/store/records.js';
import { program, sqlitePlace } from './place.js';

it('a backup has every unit that was acknowledged before it was asked for, none by half, while others are written', async () => {
  const { store, folder } = await opened();
  const acknowledged: ThreadId[] = [];
  const over = new AbortController();
  const writing = (async () => {
    while (!over.signal.aborted) {
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const added = newThread();
          const work = newDispatch(added.id);
          const result = await store.commit({
            operations: [
              { do: 'insertThread', thread: added },
              { do: 'insertDispatch', dispatch: work },
            ],
          });
          if (result.committed) acknowledged.push(added.id);
        }),
      );
    }
  })();
  for (const name of ['one.db', 'two.db', 'three.db']) {
    const before = [...acknowledged];
    const file = join(folder, name);
    await store.backup(file);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const copy = await SqliteStore.open({ file, worker: self, program });
    const threads = await all(copy, 'threads');
    expect(before.filter((each) => !threads.has(each))).toEqual([]);
    expect((await all(copy, 'dispatches')).size).toBe(threads.size);
    await copy.close();
  }
  over.abort();
  await writing;
});

it('a backup overwrites nothing, needs its folder, and leaves nothing behind when it fails', async () => {
  const { store, folder } = await opened();
  const there = join(folder, 'there.db');
  writeFileSync(there, '');
  await expect(store.backup(there)).rejects.toMatchObject({ code: 'conflict' });
  expect(statSync(there).size).toBe(0);
  await expect(store.backup(join(folder, 'no', 'a.db'))).rejects.toMatchObject({ code: 'missing_file' });
  // The path is a value and no part of a statement.
  const odd = join(folder, "it's; drop table threads --.db");
  await store.backup(odd);
  expect(existsSync(odd)).toBe(true);
  expect(readdirSync(folder).toSorted()).toEqual(["it's; drop table threads --.db", 'there.db']);
});

const self = { id: id('worker'), name: 'here', startedAt: at(0) };

async function opened() {
  const place = await sqlitePlace();
  const store = await place.open();
  const folder = mkdtempSync(join(tmpdir(), 'backup-'));
  onTestFinished(async () => {
    await store.close();
    await place.remove();
  });
  return { store, folder };
}

async function all(store: SqliteStore, what: 'threads' | 'dispatches'): Promise<Set<string>> {
  const found = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await store.query(what, { limit: 1000, ...(cursor === undefined ? {} : { cursor }) });
    for (const row of page.rows) found.add(row.id);
    cursor = page.next;
  } while (cursor !== undefined);
  return found;
}
