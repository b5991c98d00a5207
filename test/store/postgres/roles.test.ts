// @module-tag full
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { upgradeTables } from '../../../src/store/move/move-store.js';
import { PostgresStore } from '../../../src/store/postgres/postgres-store.js';
import { at, id } from '../../contract/store/records.js';
import { PostgresServer } from '../../harness/postgres-server.js';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const nobody = 65_534;

let server: PostgresServer;
let certificates: string;
beforeAll(async () => {
  certificates = mkdtempSync('/tmp/handraise-certificates-');
  chmodSync(certificates, 0o755);
  if (hasOpenssl) certificate();
  server = await PostgresServer.start([
    'fsync=off',
    ...(hasOpenssl
      ? [
          'ssl=on',
          `ssl_cert_file=${join(certificates, 'server.crt')}`,
          `ssl_key_file=${join(certificates, 'server.key')}`,
        ]
      : []),
  ]);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  rmSync(certificates, { recursive: true, force: true });
});

test('one role owns the tables and upgrades them; workers log in as another one, which only works with the rows', async () => {
  const database = await server.createDatabase();
  for (const statement of documentedRoles(database)) await server.sql(statement, database);
  const owner = server.url(database, 'handraise_owner:OWNER_PASSWORD');
  const worker = server.url(database, 'handraise_worker:WORKER_PASSWORD');

  await expect(open(worker)).rejects.toMatchObject({
    code: 'no_permission',
    message: expect.stringMatching(/are not there yet.*handraise migrate --schema$/),
  });
  await upgradeTables(owner);
  const store = await open(worker);
  await store.beat({ at: at(1), profile: { labels: [], slots: 4, sharedFolders: [] } });
  const put = await store.commit({
    operations: [{ do: 'drainWorker', workerId: store.worker.id, at: at(2) }],
  });
  expect(put.committed).toBe(true);
  await store.compact();
  await store.close();
  await expect(server.sql('set role handraise_worker; drop table threads', database)).rejects.toThrow(
    /must be owner/,
  );

  // An older version made them: the next one needs the owner again.
  await server.sql(
    'delete from handraise_migrations where name = (select max(name) from handraise_migrations)',
    database,
  );
  await expect(open(worker)).rejects.toMatchObject({
    message: expect.stringContaining('are of an older version'),
  });
});

test.skipIf(!hasOpenssl)(
  'connections are encrypted, and a server whose certificate is not trusted gets nothing',
  async () => {
    const database = await server.createDatabase();
    const url = server.url(database);
    const trusted = `${url}?sslmode=verify-full&sslrootcert=${join(certificates, 'server.crt')}`;
    const store = await open(trusted);
    const users = await server.sql(
      `select bool_and(ssl) as ssl from pg_stat_ssl join pg_stat_activity using (pid) where datname = '${database}' and application_name = 'handraise'`,
    );
    expect(users).toEqual([{ ssl: true }]);
    await store.close();
    await expect(open(`${url}?sslmode=verify-full`)).rejects.toMatchObject({ code: 'config' });
    await expect(open(trusted.replace('127.0.0.1', 'localhost'))).rejects.toMatchObject({ code: 'config' });
    await (await open(`${url}?sslmode=require`)).close();
  },
);

async function open(url: string): Promise<PostgresStore> {
  return await PostgresStore.open({ url, worker: { id: id('worker'), name: 'here', startedAt: at(0) } });
}

/** What docs/postgres.md tells to run, for this database. */
function documentedRoles(database: string): string[] {
  const page = readFileSync(new URL('../../../docs/postgres.md', import.meta.url), 'utf8');
  const sql = /```sql\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  return sql
    .replaceAll(/\bDATABASE\b/g, database)
    .split(/;\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** A certificate for 127.0.0.1 that the server may read. */
function certificate(): void {
  const [key, cert] = ['server.key', 'server.crt'].map((name) => join(certificates, name)) as [
    string,
    string,
  ];
  execFileSync(
    'openssl',
    `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=handraise-test -addext subjectAltName=IP:127.0.0.1 -keyout ${key} -out ${cert}`.split(
      ' ',
    ),
    { stdio: 'pipe' },
  );
  chmodSync(key, 0o600);
  if (process.getuid?.() === 0) chownSync(key, nobody, nobody);
}
