import { describe, expect, test } from 'vitest';
import { serverTrouble } from '../../../src/store/postgres/postgres-connection.js';
import { readStoreUrl } from '../../../src/store/postgres/store-url.js';

describe('the URL of a store', () => {
  test('names hosts in the order in which they are tried, user, password and database', () => {
    const address = readStoreUrl('postgres://me:p%40ss%2F:x@one:6000,[::1]/work?sslmode=disable');
    expect(address).toEqual({
      servers: [
        { host: 'one', port: 6000, ssl: false },
        { host: '::1', port: 5432, ssl: false },
      ],
      user: 'me',
      password: 'p@ss/:x',
      database: 'work',
      place: 'me@one:6000,::1:5432/work',
    });
  });

  test.each([
    ['postgres://me@db.example.org/work', { servername: 'db.example.org' }],
    ['postgres://me@127.0.0.1/work', false],
    ['postgres://me@10.0.0.1/work?sslmode=verify-full', {}],
    ['postgres://me@/work?host=/run/postgresql', false],
    ['postgres://me@db.example.org/work?sslmode=require', { rejectUnauthorized: false }],
  ])('%s is encrypted as it says, and off this machine without saying so', (url, ssl) => {
    expect(readStoreUrl(url).servers).toMatchObject([{ ssl }]);
  });

  test.each([
    ['postgres://localhost/work', 'no user'],
    ['postgres://me:secret@localhost', 'form'],
    ['postgres://me:secret@localhost/', 'no database'],
    ['postgres://me:secret@local host:x/work', 'no host'],
    ['postgres://me:secret@localhost:70000/work', 'no host'],
    ['postgres://me:secret@localhost/work?options=-c', 'options'],
    ['postgres://me:secret@localhost/work?sslmode=prefer', 'sslmode'],
    ['postgres://me:%zz@localhost/work', 'escape'],
    ['postgres://me:secret@localhost/work?sslmode=verify-full&sslrootcert=/nowhere', '/nowhere'],
  ])('%s is refused, without the password', (url, why) => {
    const refusal = refusalOf(() => readStoreUrl(url));
    expect(refusal).toContain(why);
    expect(refusal).not.toContain('secret');
  });
});

test.each([
  [{ version: 140_011, name: '14.11', isStandby: false }, 'is PostgreSQL 14.11; Handraise needs 15 or later'],
  [{ version: 180_004, name: '18.4', isStandby: true }, 'is a standby and takes no writes'],
  [{ version: 150_000, name: '15.0', isStandby: false }, 'undefined'],
])('a server %o is used or refused', (server, words) => {
  expect(String(serverTrouble(server, 'me@db/work'))).toContain(words);
});

function refusalOf(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    return String(error);
  }
  return 'not refused';
}
