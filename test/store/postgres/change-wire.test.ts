// @module-tag full
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PromptId, ThreadId } from '../../../src/protocol/id.js';
import type { Change } from '../../../src/store/change.js';
import { ChangeWire } from '../../../src/store/postgres/change-wire.js';
import { readStoreUrl } from '../../../src/store/postgres/store-url.js';
import type { Subscription } from '../../../src/store/subscription.js';
import { id, newThread } from '../../contract/store/records.js';
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
  const deaf = { hear: () => {}, miss: () => {}, look: () => {} };
  const address = readStoreUrl(place.url);
  await using listener = new ChangeWire({
    address,
    self: { ...store.worker, id: id('worker') },
    hear: (changes) => heard.push(...changes),
    miss: () => missed.push('missed'),
    look: () => {},
  });
  listener.watch(true);
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
  teller.tell({ changes: [first], ofOwner: nothing, commits: 1 });
  await waitUntil('its connection has ended', async () => !(await backends(place.database)).includes(own));
  // By now it is being told, into nothing.
  await sleep(200);
  link.heal();
  teller.tell({ changes: [second], ofOwner: nothing, commits: 2 });
  await waitUntil('the listener has heard of both', () => heard.length >= 2);
  expect([...new Set(heard.map((each) => JSON.stringify(each)))].toSorted()).toEqual(
    [first, second].map((each) => JSON.stringify(each)),
  );
  expect(missed).toEqual([]);
  await store.close();
});

test('what workers do to their own threads is heard where somebody looks on, and nowhere else', async () => {
  const place = await postgresPlace(server);
  const [owner, plain, watching] = [
    await place.open({ name: 'owner' }),
    await place.open({ name: 'plain' }),
    await place.open({ name: 'watching' }),
  ];
  const topics = ['thread', 'status'] as const;
  const [unseen, seen] = [plain, watching].map((store) => store.subscribe({ by: 'others', topics }));
  using looking = watching.subscribe({ topics: [], shows: true });
  // It listens from now on, and says that something may have been missed before.
  expect(await seen?.next()).toMatchObject({ value: { topic: 'missed' } });

  const own = newThread();
  await owner.commit({ operations: [{ do: 'insertThread', thread: own }] });
  expect(await seen?.next()).toEqual({
    done: false,
    value: { topic: 'thread', threadId: own.id, ofOwner: true },
  });
  const given = newThread();
  await owner.commit({ operations: [{ do: 'insertThread', thread: given, worker: plain.worker.id }] });
  // It came later, and is the first that is heard here, beside looks that every worker takes by itself.
  const heard = await firstChange(unseen);
  expect(heard).toEqual({ topic: 'thread', threadId: given.id });
  looking[Symbol.dispose]();
  for (const store of [owner, plain, watching]) await store.close();
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
    look: () => {},
  });
  await listener.open();
  // Only who hears everything can miss something; the others look by themselves.
  listener.watch(true);
  const ofWorker = `where id = '${store.worker.id}'`;
  const count = async () => {
    const [row] = await server.sql(`select commits from workers ${ofWorker}`, place.database);
    return Number(row?.['commits']);
  };
  const life = async () => {
    const wire = new ChangeWire({
      address,
      self: store.worker,
      hear: () => {},
      miss: () => {},
      look: () => {},
    });
    await wire.open();
    const tell = (each: Change, commits: number) =>
      wire.tell({ changes: [each], ofOwner: new Set([each]), commits });
    return { wire, tell };
  };
  const first = await life();
  await waitUntil('the listener hears this worker', async () => {
    first.tell(change('1'), await count());
    return heard.length > 0;
  });
  // Killed between its commit and its notice.
  await first.wire[Symbol.asyncDispose]();
  await server.sql(`update workers set commits = commits + 1 ${ofWorker}`, place.database);
  const next = await life();
  const before = missed.length;
  next.tell(change('2'), (await count()) + 1);
  await waitUntil('the listener has heard of it', () => heard.some((each) => each !== heard[0]));
  await waitUntil('it knows that something is missing', () => missed.length > before);
  await next.wire[Symbol.asyncDispose]();
  await store.close();
});

async function firstChange(subscription: Subscription | undefined): Promise<unknown> {
  for await (const notice of subscription ?? []) if (notice.topic !== 'missed') return notice;
  return undefined;
}

const nothing: ReadonlySet<Change> = new Set();

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
