// @module-tag full
import { expect, it } from 'vitest';
import { PostgresStore } from '../../../src/store/postgres/postgres-store.js';
import { aPrompt, aThread, at, id } from '../../contract/store/records.js';
import { PostgresServer } from '../../harness/postgres-server.js';
import { waitUntil } from '../../harness/wait-until.js';

it('no answer that was acknowledged is lost when the primary dies and its synchronous standby is promoted', async () => {
  await using primary = await PostgresServer.start(['synchronous_standby_names=standby']);
  await using standby = await primary.addStandby();
  const { store, warnings } = await openStore(primary, standby);
  expect(warnings).toEqual([]);
  const thread = await aThread(store);
  const prompts = [];
  for (let made = 0; made < 60; made += 1) prompts.push(await aPrompt(store, thread.id));

  // Each is given once, and everything else waits for its reply, as a person does.
  const acknowledged: string[] = [];
  const answering = (async () => {
    for (const prompt of prompts) {
      const accept = {
        do: 'acceptAnswer',
        promptId: prompt.id,
        answers: [],
        actor: 'user:a',
        at: at(1),
      } as const;
      const { committed } = await store.commit({ operations: [accept] });
      if (committed) acknowledged.push(prompt.id);
    }
  })();
  await waitUntil('some answers are acknowledged', () => acknowledged.length >= 20);
  await primary.kill();
  const before = acknowledged.length;
  await standby.promote();
  await answering;

  expect(before).toBeLessThan(prompts.length);
  expect(acknowledged).toEqual(prompts.map((prompt) => prompt.id));
  const { rows } = await store.query('prompts', { limit: 100 });
  const kept = rows.filter(({ acceptedAt }) => acceptedAt !== undefined);
  expect(kept.map((prompt) => prompt.id).toSorted()).toEqual([...acknowledged].toSorted());
  expect(await store.beat({ at: at(9), profile: { labels: [], slots: 1, sharedFolders: [] } })).toEqual({
    isDraining: false,
  });
  await store.close();
});

it('a standby that commits do not wait for is warned of', async () => {
  await using primary = await PostgresServer.start();
  await using standby = await primary.addStandby();
  await waitUntil('the standby is fed', async () => {
    const rows = await primary.sql('select 1 from pg_stat_replication');
    return rows.length > 0;
  });
  const { store, warnings } = await openStore(primary);
  expect(warnings).toEqual([expect.stringContaining('synchronous_standby_names is empty')]);
  expect(standby.port).not.toBe(primary.port);
  await store.close();
});

async function openStore(primary: PostgresServer, ...others: readonly PostgresServer[]) {
  const warnings: string[] = [];
  const store = await PostgresStore.open({
    url: primary.url(await primary.createDatabase(), undefined, others),
    worker: { id: id('worker'), name: 'here', startedAt: at(0) },
    warn: (sentence) => warnings.push(sentence),
  });
  return { store, warnings };
}
