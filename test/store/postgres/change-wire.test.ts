// @module-tag full
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PromptId, ThreadId } from '../../../src/protocol/id.js';
import type { Change } from '../../../src/store/change.js';
import { ChangeWire } from '../../../src/store/postgres/change-wire.js';
import { readStoreUrl } from '../../../src/store/postgres/store-url.js';
import { id } from '../../contract/store/records.js';
import { PostgresServer } from '../../harness/postgres-server.js';
import { TcpLink } from '../../harness/tcp-link.js';
import { waitUntil } from '../../harness/wait-until.js';
import { postgresPlace } from './place.js';

let server: PostgresServer;
beforeAll(async () => {
  server = await PostgresServer.start(['fsync=off']);
});
afterAll(async () => await server?.[Symbol.asyncDispose]());

test('what could not be told because the connection broke is told with the next change', async () => {
  const place = await postgresPlace(server);
  const store = await place.open();
  await using link = await TcpLink.to(server.port);
  const heard: Change[] = [];
  const missed: string[] = [];
  const deaf = { hear: () => {}, miss: () => {} };
  const address = readStoreUrl(place.url);
  await using listener = new ChangeWire({
    address,
    self: { ...store.worker, id: id('worker') },
    hear: (changes) => heard.push(...changes),
    miss: () => missed.push('missed'),
  });
  await listener.open();
  const before = await backends(place.database);
  await using teller = new ChangeWire({
    address: readStoreUrl(place.url.replace(`:${server.port}/`, `:${link.port}/`)),
    self: store.worker,
    ...deaf,
  });
  await teller.open();
  const [own] = (await backends(place.database)).filter((pid) => !before.includes(pid));

  const [first, second] = [change('1'), change('2')];
  link.cut();
  await server.sql(`select pg_terminate_backend(${String(own)})`, place.database);
  teller.tell([first], 1);
  await waitUntil('its connection has ended', async () => !(await backends(place.database)).includes(own));
  // By now it is being told, into nothing.
  await sleep(200);
  link.heal();
  teller.tell([second], 2);
  await waitUntil('the listener has heard of both', () => heard.length >= 2);
  expect([...new Set(heard.map((each) => JSON.stringify(each)))].toSorted()).toEqual(
    [first, second].map((each) => JSON.stringify(each)),
  );
  expect(missed).toEqual([]);
  await store.close();
});

test('what a worker committed and did not live to tell is missed when its next life tells something', async () => {
  const place = await postgresPlace(server);
  const store = await place.open();
  const address = readStoreUrl(place.url);
  const heard: Change[] = [];
  const missed: string[] = [];
  await using listener = new ChangeWire({
    address,
    self: { ...store.worker, id: id('worker') },
    hear: (changes) => heard.push(...changes),
    miss: () => missed.push('missed'),
  });
  await listener.open();
  // Killed between its commit and its notice.
  await server.sql(
    `update workers set commits = commits + 1 where id = '${store.worker.id}'`,
    place.database,
  );
  await using nextLife = new ChangeWire({ address, self: store.worker, hear: () => {}, miss: () => {} });
  await nextLife.open();
  const [row] = await server.sql(
    `select commits from workers where id = '${store.worker.id}'`,
    place.database,
  );
  nextLife.tell([change('1')], Number(row?.['commits']) + 1);
  nextLife.tell([change('2')], Number(row?.['commits']) + 2);
  await waitUntil('the listener has heard of both', () => heard.length >= 2);
  expect(missed).toEqual(['missed']);
  await store.close();
});

async function backends(database: string): Promise<unknown[]> {
  const rows = await server.sql(
    "select pid from pg_stat_activity where application_name = 'handraise' and datname = current_database()",
    database,
  );
  return rows.map(({ pid }) => pid);
}

function change(digit: string): Change {
  return {
    topic: 'prompt',
    threadId: ThreadId.parse(`thr_${'0'.repeat(26)}`),
    promptId: PromptId.parse(`prm_${digit.padStart(26, '0')}`),
  };
}
