import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Notice } from '../../../src/store/change.js';
import { PostgresStore } from '../../../src/store/postgres/postgres-store.js';
import type { Subscription } from '../../../src/store/subscription.js';
import {
  aDispatch,
  aPrompt,
  aRun,
  aThread,
  at,
  done,
  id,
  newThread,
  succeeded,
} from '../../contract/store/records.js';
import { PostgresServer } from '../../harness/postgres-server.js';
import { waitUntil } from '../../harness/wait-until.js';
import { postgresPlace } from './place.js';

let started: PostgresServer | undefined;
beforeAll(async () => {
  started = await PostgresServer.start();
});
afterAll(async () => await started?.[Symbol.asyncDispose]());

function server(): PostgresServer {
  if (!started) throw new Error('The server is up only while its tests run.');
  return started;
}

describe('workers of one database', () => {
  test('may start at once: one of them makes the schema, each gets an epoch of its own', async () => {
    const place = await postgresPlace(server());
    const stores = await Promise.all(['a', 'b', 'c'].map(async (name) => await place.open({ name })));

    expect(new Set(stores.map(({ worker }) => worker.epoch)).size).toBe(3);
    expect(await stores[0]?.query('workers', {})).toHaveLength(3);
    for (const store of stores) await store.close();
    await place.remove();
  });

  test('write what they can of a group in which one unit cannot be done', async () => {
    const place = await postgresPlace(server());
    const store = await place.open({ name: 'a' });
    const { threadId } = await aDispatch(store, (await aThread(store)).id);
    // As a newer version may write it.
    await server().sql(`update dispatches set request = '{"text":7}'`, place.database);
    const before = aThread(store);
    const claim = store.commit({
      operations: [{ do: 'claimDispatches', limit: 1, now: at(0), until: at(60) }],
    });
    const thread = newThread();
    const insert = store.commit({ operations: [{ do: 'insertThread', thread }] });
    await before;
    await expect(claim).rejects.toThrow();
    expect(await insert).toMatchObject({ committed: true });
    expect(await store.query('thread', { id: thread.id })).not.toBeNull();
    expect(await store.query('thread', { id: threadId })).not.toBeNull();
    await store.close();
    await place.remove();
  });

  test('write in one name only as long as no later life of it has begun', async () => {
    const place = await postgresPlace(server());
    const [before, thread] = [await place.open({ name: 'a' }), newThread()];
    const after = await place.open({ name: 'a' });

    expect(await before.commit({ operations: [{ do: 'insertThread', thread }] })).toEqual({
      committed: false,
      refusal: { because: 'superseded', epoch: after.worker.epoch },
    });
    expect(await after.query('threads', {})).toEqual({ rows: [] });
    const profile = { labels: [], slots: 1, sharedFolders: [] };
    expect(await before.beat({ at: at(9), profile })).toBeNull();
    expect(await after.query('workers', {})).toMatchObject([{ heartbeatAt: at(0) }]);
    for (const store of [before, after]) await store.close();
    await place.remove();
  });

  test('say that they live before everything that waits to be written, and over a new connection when theirs is lost', async () => {
    const place = await postgresPlace(server());
    const store = await place.open({ name: 'a' });
    const profile = { labels: [], slots: 1, sharedFolders: [] };
    const many = 2000;
    let written = 0;
    const writing = Array.from({ length: many }, async () => {
      await aThread(store);
      written += 1;
    });
    await store.beat({ at: at(5), profile });
    expect(written).toBeLessThan(many);
    await Promise.all(writing);

    await server().sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${place.database}' and pid <> pg_backend_pid()`,
    );
    expect(await store.beat({ at: at(6), profile })).toEqual({ isDraining: false });
    expect(await store.query('workers', {})).toMatchObject([{ heartbeatAt: at(6) }]);
    await store.close();
    await place.remove();
  });

  test('claim what is theirs and nothing twice, however many ask', async () => {
    const place = await postgresPlace(server());
    const stores = [await place.open({ name: 'a' }), await place.open({ name: 'b' })];
    const expected = await Promise.all(
      stores.map(async (store) => {
        const ids: string[] = [];
        for (let made = 0; made < 15; made += 1)
          ids.push((await aDispatch(store, (await aThread(store)).id)).id);
        return ids.toSorted();
      }),
    );
    const claim = { do: 'claimDispatches', limit: 3, now: at(0), until: at(60) } as const;
    const claimed = await Promise.all(
      stores.map(async (store) => {
        const rounds = await Promise.all(Array.from({ length: 8 }, () => done(store, [claim])));
        return rounds.flatMap(([found]) => found.map((dispatch) => dispatch.id)).toSorted();
      }),
    );

    expect(claimed).toEqual(expected);
    for (const store of stores) await store.close();
    await place.remove();
  });

  test('accept one answer of two that come at the same time at both', async () => {
    const place = await postgresPlace(server());
    const [one, other] = [await place.open({ name: 'a' }), await place.open({ name: 'b' })];
    for (let round = 0; round < 10; round += 1) {
      const prompt = await aPrompt(one, (await aThread(one)).id);
      const accept = (actor: 'user:a' | 'user:b') =>
        ({
          operations: [{ do: 'acceptAnswer', promptId: prompt.id, answers: [], actor, at: at(1) }],
        }) as const;
      const results = await Promise.all([one.commit(accept('user:a')), other.commit(accept('user:b'))]);
      expect(results.filter(({ committed }) => committed)).toHaveLength(1);
    }
    for (const store of [one, other]) await store.close();
    await place.remove();
  });

  test('find what is theirs in lists, and whose the rest is', async () => {
    const place = await postgresPlace(server());
    const [one, other] = [await place.open({ name: 'a' }), await place.open({ name: 'b' })];
    const [mine, theirs] = [await aThread(one), await aThread(other)];
    await aRun(other, theirs.id);
    const dispatch = await aDispatch(one, mine.id);
    await aPrompt(other, theirs.id);
    const own = { own: true } as const;

    expect((await one.query('threads', own)).rows.map((row) => row.id)).toEqual([mine.id]);
    expect((await one.query('threads', {})).rows).toHaveLength(2);
    expect((await one.query('dispatches', own)).rows.map((row) => row.id)).toEqual([dispatch.id]);
    expect([await one.query('runs', own), await one.query('prompts', own)]).toEqual([
      { rows: [] },
      { rows: [] },
    ]);
    expect(await one.query('foreignWorker', { threadId: mine.id })).toBeNull();
    expect(await one.query('foreignWorker', { threadId: theirs.id })).toMatchObject({ name: 'b' });
    for (const store of [one, other]) await store.close();
    await place.remove();
  });

  test('hear what the others changed', async () => {
    const place = await postgresPlace(server());
    const [one, other] = [await place.open({ name: 'a' }), await place.open({ name: 'b' })];
    using changes = other.subscribe({ by: 'others', topics: ['thread'], shows: true });
    // From now on.
    expect(await take(changes)).toMatchObject({ topic: 'missed' });
    const thread = await aThread(one);

    expect(await take(changes)).toEqual({ topic: 'thread', threadId: thread.id, ofOwner: true });
    for (const store of [one, other]) await store.close();
    await place.remove();
  });

  test('are told that they missed something when no notice came', async () => {
    const place = await postgresPlace(server());
    const store = await place.open({ name: 'a' });
    using changes = store.subscribe({ by: 'others', shows: true });
    expect(await take(changes)).toMatchObject({ topic: 'missed' });
    await server().sql(`insert into workers values ('wkr_x', 'silent', 99, '', '', 1)`, place.database);

    expect(await take(changes)).toMatchObject({ topic: 'missed' });
    await store.close();
    await place.remove();
  });
});

describe('what no text of PostgreSQL can hold', () => {
  test('is kept where it is escaped, replaced elsewhere, and breaks no query', async () => {
    const place = await postgresPlace(server());
    const store = await place.open();
    const thread = await aThread(store, { title: 'a\0b' });
    const outcome = { ...succeeded, reason: 'NUL \0, half a pair \ud800, and \\u0000 as text' };
    await aDispatch(store, thread.id, { state: 'ended', outcome, endedAt: at(1), labels: { 'a\0': '\0' } });

    const { rows } = await store.query('threads', { result: 'succeeded' });
    expect(rows.map(({ title }) => title)).toEqual(['a\ufffdb']);
    const labelled = await store.query('dispatches', { labels: [{ key: 'other' }] });
    expect(labelled.rows).toEqual([]);
    expect((await store.query('dispatches', {})).rows[0]?.outcome).toEqual(outcome);
    await store.close();
    await place.remove();
  });
});

describe('a server that goes away', () => {
  test('or was never there is passed over for the next one in the URL', async () => {
    const place = await postgresPlace(server());
    const url = place.url.replace('@', '@127.0.0.1:1,');
    const worker = { id: id('worker'), name: 'x', startedAt: at(0) };
    const store = await PostgresStore.open({ url, worker });
    expect(await store.query('workers', {})).toHaveLength(1);
    await store.close();
    await place.remove();
  });

  test('and comes back is not noticed by whoever writes and reads meanwhile', {
    tags: ['full'],
  }, async () => {
    await using mortal = await PostgresServer.start([]);
    const place = await postgresPlace(mortal);
    const store = await place.open();
    const thread = await aThread(store);
    const append = (json: string) =>
      done(store, [
        { do: 'appendEvents', threadId: thread.id, events: [{ type: 'note', timestamp: at(0), json }] },
      ]);
    let last = 0;
    const ending = new AbortController();
    const writing = (async () => {
      while (!ending.signal.aborted) {
        last += 1;
        await append(String(last));
      }
    })();
    for (let round = 0; round < 5; round += 1) {
      const before = last;
      await Promise.race([writing, waitUntil('something is written', () => last > before + 20)]);
      await mortal.kill();
      const reading = store.query('thread', { id: thread.id });
      await mortal.up();
      expect((await reading)?.id).toBe(thread.id);
    }
    ending.abort();
    await writing;

    const events = await store.query('events', { threadId: thread.id, limit: 1000 });
    expect(events.map(({ json }) => Number(json))).toEqual(Array.from({ length: last }, (_, n) => n + 1));
    await store.close();
  });

  test('is a sentence, and so is a wrong password, a missing database and an unreadable URL', async () => {
    const worker = { id: id('worker'), name: 'x', startedAt: at(0) };
    const failureOf = async (url: string) => {
      try {
        await (await PostgresStore.open({ url, worker })).close();
        return 'opened';
      } catch (error) {
        const { code, message } = Object(error);
        expect(String(message)).not.toContain('pears');
        return code;
      }
    };
    const { port } = server();
    expect([
      await failureOf(`postgres://handraise:pears@127.0.0.1:${port}/postgres`),
      await failureOf(server().url('nowhere')),
      await failureOf('postgres://handraise:pears@127.0.0.1:1/postgres'),
      await failureOf(`postgres://handraise:pears@127.0.0.1:${port}/postgres?sslmode=verify-full`),
      await failureOf('postgres://nobody'),
    ]).toEqual(['no_permission', 'config', 'unavailable', 'config', 'config']);
  });
});

async function take(subscription: Subscription): Promise<Notice | undefined> {
  const { value } = await subscription.next();
  return value;
}
