import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  expectKnownSchema,
  type KnownSchema,
  migratePostgres,
  ownSchema,
} from '../../../src/store/postgres/migrate.js';
import { PostgresConnection } from '../../../src/store/postgres/postgres-connection.js';
import { PostgresStore } from '../../../src/store/postgres/postgres-store.js';
import { readStoreUrl } from '../../../src/store/postgres/store-url.js';
import { at, id, newThread } from '../../contract/store/records.js';
import { PostgresServer } from '../../harness/postgres-server.js';
import { TcpLink } from '../../harness/tcp-link.js';
import { waitUntil } from '../../harness/wait-until.js';
import { type PostgresPlace, postgresPlace } from './place.js';

describe('of an additive migration', () => {
  // What an older program writes must go on to be possible: nothing that it does not fill is asked for, nothing is refused.
  const harmless = [
    /^create table (?!if)/,
    /^create index /,
    /^alter table \w+ add column \w+ [^,]*$/,
  ] as const;
  const isHarmless = (statement: string) =>
    harmless.some((form) => form.test(statement)) &&
    !(
      statement.startsWith('alter table') &&
      /not null(?!.* default)(?! default)|unique|references|check/.test(statement)
    );

  test.each(Object.entries(ownSchema.migrations).filter(([name]) => ownSchema.additive.has(name)))(
    '%s every statement only adds',
    (_name, statements) => {
      expect(statements.filter((statement) => !isHarmless(statement))).toEqual([]);
    },
  );

  test.each([
    'alter table threads drop column title',
    'alter table threads add column a text not null',
    'alter table threads add column a text unique',
    'alter table threads add column a text, drop column b',
    'create unique index names on threads (title)',
    'update threads set title = null',
  ])('this would not: %s', (statement) => {
    expect(isHarmless(statement)).toBe(false);
  });
});

describe('a database that several versions use', () => {
  let server: PostgresServer | undefined;
  let place: PostgresPlace;
  beforeAll(async () => {
    server = await PostgresServer.start();
    place = await postgresPlace(server);
  });
  afterAll(async () => await server?.[Symbol.asyncDispose]());

  const { migrations, additive } = ownSchema;
  const withMore = (name: string, statements: readonly string[], isAdditive: boolean): KnownSchema => ({
    migrations: { ...migrations, [name]: statements },
    additive: isAdditive ? new Set([...additive, name]) : additive,
  });
  const connected = async () => await PostgresConnection.open(readStoreUrl(place.url));

  test('what only adds is done while an older one works, and older ones may start afterwards', async () => {
    const older = await place.open({ name: 'older' });
    await using connection = await connected();
    await migratePostgres(
      connection,
      withMore('0901-more', ['alter table threads add column more text'], true),
    );

    const insert = { do: 'insertThread', thread: newThread() } as const;
    expect((await older.commit({ operations: [insert] })).committed).toBe(true);
    await older.close();
    const again = await place.open({ name: 'older' });
    expect((await again.query('threads', {})).rows).toHaveLength(1);
    await again.close();
  });

  test('what older ones cannot work with is refused while one is connected, ends the life of one that comes back, and is told to those that start', async () => {
    const breaking = withMore('0902-other', ['alter table threads add column other text'], false);
    await using link = await TcpLink.to(server?.port ?? 0);
    const older = await PostgresStore.open({
      url: place.url.replace(`:${server?.port}/`, `:${link.port}/`),
      worker: { id: id('worker'), name: 'older', startedAt: at(0) },
    });
    const connection = await connected();
    await expect(migratePostgres(connection, breaking)).rejects.toMatchObject({
      code: 'config',
      message: expect.stringMatching(/other workers use it\. Stop them/),
    });
    expect((await older.query('threads', {})).rows).toHaveLength(1);

    // It is cut off: the server has ended its connections, and it does not know.
    link.cut();
    const ofUs =
      "from pg_stat_activity where application_name = 'handraise' and datname = current_database()";
    await waitUntil('the server has ended its connections', async () => {
      await server?.sql(`select pg_terminate_backend(pid) ${ofUs}`, place.database);
      return (await server?.sql(`select 1 ${ofUs}`, place.database))?.length === 0;
    });
    await using alone = await connected();
    await migratePostgres(alone, breaking);
    link.heal();
    const insert = { do: 'insertThread', thread: newThread() } as const;
    expect(await older.commit({ operations: [insert] })).toMatchObject({
      committed: false,
      refusal: { because: 'superseded' },
    });
    expect(
      await older.beat({
        at: at(9),
        profile: { labels: [], slots: 1, sharedFolders: [] },
      }),
    ).toBeNull();
    await older.close();

    const refusal = {
      code: 'config',
      message: expect.stringMatching(
        /changed by a newer Handraise in a way that .* \(0902-other\)\. Install/,
      ),
    };
    await expect(place.open({ name: 'older' })).rejects.toMatchObject(refusal);
    // One that began to start before the change finds it when it enters.
    await expect(alone.transaction(async () => await expectKnownSchema(alone))).rejects.toMatchObject(
      refusal,
    );
    await alone.transaction(async () => await expectKnownSchema(alone, breaking));
  });
});
