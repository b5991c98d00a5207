import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { at, newThread } from '../../contract/store/records.js';
import { type SqlitePlace, sqlitePlace } from './place.js';
import { listing, Served, said, searching } from './served.js';

let place: SqlitePlace;
let served: Served;
beforeEach(async () => {
  place = await sqlitePlace();
  served = await Served.open(place.file);
});
afterEach(async () => {
  await place.remove();
});

describe('words come into the index later', () => {
  test('all that were committed meanwhile at once, without anybody who asks', () => {
    const one = served.newThread('pergola');
    const two = served.newThread('quincunx');
    served.say(one, 'halcyon');
    expect(served.tables()).toEqual({ texts: [], backlog: [one, two].toSorted() });

    served.pass();
    expect(served.tables()).toEqual({ texts: [`${one} 0`, `${two} 0`, `${one} 1`], backlog: [] });
    served.pass();
    expect(served.later).toEqual([]);
  });

  test('and before somebody searches', () => {
    const thread = served.newThread('pergola');
    served.say(thread, 'halcyon');
    expect([served.found('halcyon'), served.found('pergola'), served.found('nowhere')]).toEqual([
      [thread],
      [thread],
      [],
    ]);
    expect(served.tables().backlog).toEqual([]);
  });

  test('and when the store is closed', async () => {
    const thread = served.newThread('pergola');
    served.ask({ kind: 'close', id: 1 });
    await dieAndOpen();
    expect(served.tables()).toEqual({ texts: [`${thread} 0`], backlog: [] });
  });

  test('a flood of them with the commit that says them', () => {
    const thread = served.newThread('pergola');
    served.commit(Array.from({ length: 600 }, (_, count) => said(thread, `word${count}`)));
    expect(served.tables().texts).toHaveLength(601);
    expect(served.tables().backlog).toEqual([]);
    expect(served.found('word599')).toEqual([thread]);
  });

  test('once there is room for them: until then a search says why it cannot answer, and other reads do', () => {
    const thread = served.newThread('pergola');
    for (let count = 0; count < 40; count += 1) served.say(thread, longWords(count));
    served.limit('full');
    served.pass();
    expect(served.later).toHaveLength(1);
    expect(served.ask(searching('word7x7'))).toMatchObject({
      kind: 'failure',
      failure: { code: 'unavailable', message: expect.stringContaining('is full. Free some space') },
    });
    expect(served.ask(listing)).toMatchObject({ kind: 'answer' });

    served.limit('room');
    expect(served.found('word7x7')).toEqual([thread]);
    expect(served.tables().texts).toHaveLength(41);
  });

  test('but those of a unit that was refused never', () => {
    const thread = served.newThread('pergola');
    const reply = served.commit([said(thread, 'halcyon'), said(newThread().id, 'quincunx')]);
    expect(reply).toMatchObject({ result: { committed: false } });
    served.pass();
    expect(served.found('halcyon')).toEqual([]);
    expect(served.tables().texts).toEqual([`${thread} 0`]);
  });
});

describe('a process that dies before they are there loses none', () => {
  test('of those that were said, each once', async () => {
    const thread = served.newThread('pergola');
    served.say(thread, 'halcyon one');
    served.pass();
    served.say(thread, 'halcyon two');
    served.say(thread, 'quincunx');
    expect(served.tables().backlog).toEqual([thread]);
    await dieAndOpen();

    expect(served.tables().texts.toSorted()).toEqual([0, 1, 2, 3].map((seq) => `${thread} ${seq}`));
    expect(served.tables().backlog).toEqual([]);
    expect([served.found('halcyon two'), served.found('quincunx'), served.found('pergola')]).toEqual([
      [thread],
      [thread],
      [thread],
    ]);
  });

  test('of more events than are read at once', async () => {
    const thread = served.newThread('pergola');
    for (let count = 1; count <= 450; count += 1) served.say(thread, `word${count}`);
    await dieAndOpen();
    expect(served.tables().texts).toHaveLength(451);
    expect(served.found('word450')).toEqual([thread]);
  });

  test('of a name that was given, and no longer finds the former one', async () => {
    const thread = served.newThread('pergola', 'zephyrous');
    served.say(thread, 'halcyon');
    served.pass();
    served.commit([{ do: 'patchThread', threadId: thread, patch: { name: 'quincunx' } }]);
    await dieAndOpen();

    expect(['quincunx', 'zephyrous', 'halcyon'].map((word) => served.found(word))).toEqual([
      [thread],
      [],
      [thread],
    ]);
    expect(served.tables().texts).toHaveLength(2);
  });

  test('and finds nothing of what was removed', async () => {
    const gone = served.newThread('pergola');
    const moved = served.newThread('quincunx');
    for (const thread of [gone, moved]) served.say(thread, 'halcyon');
    served.pass();
    served.commit([{ do: 'archiveThread', threadId: moved, at: at(5) }]);
    served.commit([{ do: 'dropEvents', threadId: moved, upTo: 1, file: '/elsewhere' }]);
    served.commit([{ do: 'removeThread', threadId: gone }]);
    await dieAndOpen();

    expect(served.tables()).toEqual({ texts: [`${moved} 0`], backlog: [] });
    expect([served.found('halcyon'), served.found('pergola'), served.found('quincunx')]).toEqual([
      [],
      [],
      [moved],
    ]);
  });
});

/** Enough different ones that they do not fit into the pages that are there. */
function longWords(number: number): string {
  return Array.from({ length: 200 }, (_, count) => `word${number}x${count}`).join(' ');
}

/** Goes on with the files as they are, which is what kill -9 leaves. */
async function dieAndOpen(): Promise<void> {
  const file = join(place.folder, 'later', 'handraise.db');
  await mkdir(dirname(file), { mode: 0o700 });
  for (const ending of ['', '-wal'])
    await cp(place.file + ending, file + ending, { force: true }).catch(ifMissing);
  served = await Served.open(file);
}

/** Whoever closes the file leaves no log beside it. */
function ifMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
