import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, open, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noFacts, type RunFacts } from '../../../src/domain/run/run-facts.js';
import { noSigns } from '../../../src/domain/status/agent-signs.js';
import { migrations } from '../../../src/store/sqlite/migrations.js';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { aThread, at, done, id, newRun } from '../../contract/store/records.js';
import { fixture, reportOf, start } from './fixture.js';
import { program, type SqlitePlace, sqlitePlace } from './place.js';

let place: SqlitePlace;
beforeEach(async () => {
  place = await sqlitePlace();
});
afterEach(() => place.remove());

const asRoot = process.getuid?.() === 0;
const nobody = 65534;
const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;

/** Facts as the first schema had them, and what they are now. */
const { ownReport, by, ...sameSigns } = noSigns;
const { ownReport: byReport, ...sameBy } = by;
const evidence = { fact: 'said_busy', source: 'session_state', confidence: 'strong', at: at(1) } as const;
const common = {
  isOver: false,
  signs: { ...sameSigns, said: ownReport, by: { ...sameBy, said: byReport } },
  spentUsd: 2,
};
const sent = [{ uuid: 'm', seq: 1, isRemark: true }];
const followUp = [{ uuid: 'm', seq: 1, isFollowUp: true }];
const oldFacts: readonly (readonly [object, Partial<RunFacts>])[] = [
  [{ sent: [] }, {}],
  [
    { sent: [], signs: { ...sameSigns, said: 'busy', by: { ...sameBy, said: evidence } } },
    { signs: { ...noSigns, ownReport: 'busy', by: { ...by, ownReport: evidence } } },
  ],
  [
    { sent, sessionId: 's', work: 'dsp_1' },
    { sent: followUp, session: { state: 'open', id: 's' }, work: { id: 'dsp_1', isKnown: true } },
  ],
  [
    { sent: [], held: sent, sessionId: 's', sessionLost: true, work: 'dsp_1', startsAfresh: true },
    { unsent: followUp, session: { state: 'lost', id: 's' }, work: { id: 'dsp_1', isKnown: false } },
  ],
  [
    { sent: [], parked: { toolUseId: 't', how: 'deferred' }, takesUp: 'u', leftQuestion: true },
    { waitingCall: { state: 'parked', toolUseId: 't', how: 'deferred' }, leftFile: { state: 'question' } },
  ],
  [
    { sent: [], takesUp: 't', tookUp: true, badQuestion: 'blank' },
    {
      waitingCall: { state: 'taking_up', toolUseId: 't', hasAsked: true },
      leftFile: { state: 'unreadable', error: 'blank' },
    },
  ],
  [
    { sent: [], declines: 't', mode: 'plan' },
    { waitingCall: { state: 'declining', toolUseId: 't' }, mode: 'plan' },
  ],
];

describe('the database file', () => {
  test('and its folder are for their owner alone', async () => {
    await mkdir(dirname(place.file), { mode: 0o755 });
    const store = await place.open();

    expect((await stat(dirname(place.file))).mode & 0o777).toBe(0o700);
    expect((await stat(place.file)).mode & 0o777).toBe(0o600);
    expect((await stat(`${place.file}-wal`)).mode & 0o777).toBe(0o600);
    await store.close();
  });

  test('does not go into a folder that is shared, and leaves it so', async () => {
    await mkdir(dirname(place.file));
    await chmod(dirname(place.file), 0o1777);

    await expect(place.open()).rejects.toMatchObject({
      code: 'config',
      message: `The folder ${dirname(place.file)} is shared with other users. Choose a home of its own.`,
    });
    expect((await stat(dirname(place.file))).mode & 0o7777).toBe(0o1777);
  });

  test('that is empty gets the schema; one that has it keeps what it holds', async () => {
    await mkdir(dirname(place.file));
    await writeFile(place.file, '');
    const first = await place.open();
    const thread = await aThread(first);
    await first.close();
    const second = await place.open();

    expect((await second.query('threads', {})).rows.map(({ id }) => id)).toEqual([thread.id]);
    await second.close();
  });

  test('is brought up from a schema before the first', async () => {
    await mkdir(dirname(place.file));
    const older = new Database(place.file);
    older.exec(
      'create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)',
    );
    older.close();
    const store = await place.open();
    await aThread(store);
    await store.close();

    const database = new Database(place.file);
    expect(database.prepare('select name from kysely_migration').all()).toEqual(
      Object.keys(migrations).map((name) => ({ name })),
    );
    database.close();
  });

  test('of the first schema keeps what was known of its runs, in the words of today', {
    tags: ['full'],
  }, async () => {
    const store = await place.open();
    const thread = await aThread(store);
    await done(
      store,
      oldFacts.map(() => ({ do: 'insertRun', run: newRun(thread.id) })),
    );
    const said = JSON.stringify({ type: 'notice', timestamp: at(1), message: 'The palimpsest is here' });
    await done(store, [
      { do: 'appendEvents', threadId: thread.id, events: [{ type: 'notice', timestamp: at(1), json: said }] },
    ]);
    await store.close();
    const older = new Database(place.file);
    older.exec('alter table attempts drop column active_ms');
    older.exec('alter table prompts drop column asked_seq');
    older.exec('alter table prompts drop column work');
    older.exec('alter table threads drop column grants');
    older.exec('drop index prompts_held_back');
    older.exec('alter table prompts drop column undo_until');
    older.exec('drop index prompts_untold');
    older.exec('alter table prompts drop column untold');
    older.exec('drop index prompts_unused');
    older.exec('alter table prompts drop column dropped');
    older.exec('drop table tool_outputs');
    older.exec('alter table threads drop column origin');
    older.exec('drop table landings');
    older.exec('drop index threads_by_name');
    older.exec('alter table threads drop column name');
    older.exec('alter table threads drop column archived_at');
    older.exec('alter table threads drop column imported_from');
    older.exec('drop table search_texts');
    older.exec('drop table search_index');
    older.exec('drop table removed_usage');
    older.exec('drop index outbox_done');
    older.exec('drop table review_comments');
    older.exec('drop index threads_in_terminal');
    older.exec('alter table threads drop column terminal');
    older.exec('alter table threads drop column session');
    older.exec('drop index runs_by_session');
    older.exec('alter table threads drop column events_in');
    older.exec('drop table schedule_runs');
    older.exec('drop table schedules');
    older.exec('drop index dispatches_waiting');
    older.exec('alter table dispatches drop column waits_for');
    older.exec('drop table pipeline_phases');
    older.exec('drop table pipelines');
    older.exec('drop index dispatches_undecided');
    older.exec('alter table dispatches drop column decision');
    older.exec('drop index dispatches_by_parent');
    older.exec('alter table dispatches drop column parent');
    older.exec('drop index dispatches_by_actor');
    older.exec('alter table dispatches drop column allowance');
    older.exec('alter table threads drop column budget');
    older.exec('drop index prompts_given_up');
    older.exec('alter table threads drop column snoozed');
    older.exec('alter table threads drop column account');
    older.exec('alter table workers drop column profile');
    older.exec('alter table workers drop column draining_since');
    for (const index of ['prompts_same', 'prompts_similar', 'prompts_of_project'])
      older.exec(`drop index ${index}`);
    for (const column of ['project', 'same_key', 'similar_key'])
      older.exec(`alter table prompts drop column ${column}`);
    older.exec('drop table rules');
    older.exec('drop table search_backlog');
    older.exec(`delete from kysely_migration where name > '0001-base'`);
    // Not prepared: a statement that waits to be collected keeps the file open.
    for (const [index, [old]] of oldFacts.entries())
      older.exec(`update runs set facts = '${JSON.stringify({ ...common, ...old })}' where n = ${index + 1}`);
    older.close();

    const opened = await place.open();
    const { rows } = await opened.query('runs', { threadId: thread.id });
    expect(rows.map(({ facts }) => facts)).toEqual(
      oldFacts.map(([, known]) => ({ ...noFacts, spentUsd: 2, ...known })),
    );
    const threadIds = [thread.id];
    expect(await opened.query('searchHits', { search: 'palimpsest', threadIds })).toEqual([
      { threadId: thread.id, seq: 1 },
    ]);
    expect(await opened.query('searchHits', { search: thread.title, threadIds })).toEqual([
      { threadId: thread.id, seq: 0 },
    ]);
    await opened.close();
  });

  test('of a newer program is refused and left as it is', async () => {
    await (await place.open()).close();
    const newer = new Database(place.file);
    newer.exec(`insert into kysely_migration values ('0099-future', '2030-01-01T00:00:00.000Z')`);
    newer.close();
    const before = await readFile(place.file);

    await expect(place.open()).rejects.toMatchObject({
      code: 'config',
      message: `The database ${place.file} was written by a newer Handraise (it has 0099-future). Install that version or a later one, or choose another home.`,
    });
    expect((await readFile(place.file)).equals(before)).toBe(true);
  });

  test.each([
    ['is no database', (file: string) => writeFile(file, 'not a database '.repeat(1000))],
    ['lost its pages', (file: string) => overwrite(file, { from: 100, bytes: 200_000 })],
  ])('that %s is refused and left as it is', async (_, damage) => {
    const store = await place.open();
    const thread = await aThread(store);
    await done(store, [
      { do: 'appendEvents', threadId: thread.id, events: Array.from({ length: 100 }, () => note) },
    ]);
    await store.close();
    await damage(place.file);
    const before = await readFile(place.file);

    await expect(place.open()).rejects.toMatchObject({
      code: 'config',
      message: `The database ${place.file} is damaged. Put back a backup of it, or move it and the files beside it away to start anew.`,
    });
    expect((await readFile(place.file)).equals(before)).toBe(true);
  });

  test('in a folder that is a file cannot be written', async () => {
    const file = join(place.folder, 'plain');
    await writeFile(file, '');
    const inside = join(file, 'handraise.db');
    const worker = { id: id('worker'), name: 'here', startedAt: at(0) };

    await expect(SqliteStore.open({ file: inside, worker, program })).rejects.toMatchObject({
      code: 'no_permission',
      message: `The database ${inside} cannot be written. Make its folder writable for this user, or choose another home.`,
    });
  });

  test('in a folder of somebody else cannot be written', async () => {
    await mkdir(dirname(place.file), { mode: 0o555 });
    await chmod(place.folder, 0o755);
    const child = await reportOf(
      process.execPath,
      [fixture('opens.js'), place.file],
      asRoot ? { uid: nobody } : {},
    );
    await chmod(dirname(place.file), 0o700);

    expect(child).toEqual({
      exitCode: 77,
      report: {
        code: 'no_permission',
        message: `The database ${place.file} cannot be written. Make its folder writable for this user, or choose another home.`,
      },
    });
  });
});

describe('a second worker', () => {
  test('in another process is turned away with exit code 75, and does not disturb the first', async () => {
    const store = await place.open();
    const thread = await aThread(store);
    const message = `Another worker holds ${place.file}. Stop it with "handraise down", or give this one a home of its own.`;

    expect(await reportOf(process.execPath, [fixture('opens.js'), place.file])).toEqual({
      exitCode: 75,
      report: { code: 'home_busy', message },
    });
    await expect(place.open()).rejects.toMatchObject({ code: 'home_busy', message });
    expect(await reportOf(process.execPath, [fixture('opens.js'), place.file])).toMatchObject({
      exitCode: 75,
    });
    expect(await done(store, [{ do: 'appendEvents', threadId: thread.id, events: [note] }])).toEqual([
      { seqs: [1], repeated: 0 },
    ]);
    await store.close();
  });

  test('gets the file as soon as the first was killed with -9', { tags: ['full'] }, async () => {
    const child = start('opens.js', place.file);
    await once(child.stdout, 'data');
    await expect(place.open()).rejects.toMatchObject({ code: 'home_busy' });
    child.kill('SIGKILL');
    await once(child, 'exit');
    const store = await place.open();

    expect(store.worker.epoch).toBe(2);
    await store.close();
  });
});

describe('a full disk', () => {
  test.skipIf(!canMount)(
    'refuses with a sentence, loses nothing, and goes on when there is space',
    async () => {
      const disk = join(place.folder, 'disk');
      await mkdir(disk);
      const mount = `mount -t tmpfs -o size=10m tmpfs "$1" && exec "$2" "$3" "$1/home/handraise.db" "$1/ballast"`;
      const command = ['-rm', 'sh', '-c', mount, 'sh', disk, process.execPath, fixture('fills-disk.js')];
      const { exitCode, report } = await reportOf('unshare', command);
      const file = join(disk, 'home', 'handraise.db');
      const failure = {
        code: 'unavailable',
        message: `The disk that holds ${file} is full. Free some space and try again; what was acknowledged is kept.`,
      };

      const { whenFull } = Object(report);
      expect(whenFull).toBeGreaterThan(10);
      expect({ exitCode, report }).toEqual({
        exitCode: 0,
        report: {
          failure,
          again: failure,
          readable: whenFull,
          whenFull,
          acknowledged: whenFull + 1,
          kept: whenFull + 1,
        },
      });
    },
  );
});

const note = { type: 'note', timestamp: at(0), json: `{"type":"note","text":"${'x'.repeat(2000)}"}` };

async function overwrite(file: string, { from, bytes }: { from: number; bytes: number }): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(bytes, 0xab), 0, bytes, from);
  await handle.close();
}
