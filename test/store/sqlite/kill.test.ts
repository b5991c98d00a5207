import { once } from 'node:events';
import { createInterface } from 'node:readline';
import Database from 'libsql';
import { expect, test } from 'vitest';
import type { ThreadId } from '../../../src/protocol/id.js';
import type { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { start } from './fixture.js';
import { sqlitePlace } from './place.js';

test('a process killed with -9 has lost nothing that it acknowledged, 3 times on the same file', async () =>
  await killAgainAndAgain(3));

test(
  'a process killed with -9 has lost nothing that it acknowledged, 20 times on the same file',
  { tags: ['full'] },
  async () => await killAgainAndAgain(Number(process.env.HANDRAISE_KILL_ROUNDS ?? 20)),
);

async function killAgainAndAgain(rounds: number): Promise<void> {
  const place = await sqlitePlace();
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const child = start('appends.js', place.file, String(round));
    const lines = createInterface(child.stdout);
    const heard: string[] = [];
    // A different moment of the group's life each time.
    const enough = 1 + ((round * 37) % 200);
    lines.on('line', (line) => {
      heard.push(line);
      if (heard.length === enough) child.kill('SIGKILL');
    });
    await Promise.all([once(child, 'exit'), once(lines, 'close')]);
    expect(heard.length).toBeGreaterThanOrEqual(enough);
    acknowledged.push(...heard);
  }

  const store = await place.open();
  const [thread] = (await store.query('threads', {})).rows;
  const stored = thread ? await allTexts(store, thread.id) : [];
  const kept = new Set(stored);
  expect(acknowledged.filter((text) => !kept.has(text))).toEqual([]);
  expect(stored.length).toBe(kept.size);
  expect(thread?.lastSeq).toBe(stored.length);
  await store.close();
  expect(wordsIn(place.file)).toEqual({ texts: stored.length, words: stored.length, behind: 0 });
  await place.remove();
}

/** How many events can be found by their words, and of how many threads the words are missing. */
function wordsIn(file: string) {
  const database = new Database(file);
  const count = (sql: string) => Number(database.prepare(sql).pluck().all()[0]);
  const found = {
    texts: count('select count(*) from search_texts where seq > 0'),
    words: count("select count(*) from search_index where search_index match 'said*'"),
    behind: count('select count(*) from search_backlog'),
  };
  database.close();
  return found;
}

async function allTexts(store: SqliteStore, threadId: ThreadId): Promise<string[]> {
  const texts: string[] = [];
  for (;;) {
    const page = await store.query('events', { threadId, after: texts.length, limit: 1000 });
    if (page.length === 0) return texts;
    texts.push(...page.map(({ json }) => String(JSON.parse(json).message)));
  }
}
