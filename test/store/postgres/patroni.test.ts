// @module-tag full
import { expect, it } from 'vitest';
import { PostgresStore } from '../../../src/store/postgres/postgres-store.js';
import { aPrompt, aThread, at, id } from '../../contract/store/records.js';
import { missingForPatroni, PatroniPair } from '../../harness/patroni.js';
import { waitUntil } from '../../harness/wait-until.js';

// It installs packages of Debian, so it is done where it is asked for: node scripts/patroni.js
const isAsked = process.env['PATRONI'] === '1';
const missing = isAsked ? missingForPatroni() : null;
if (missing !== null) console.log(`Patroni is not tried: ${missing}.`);
const answersGiven = 400;

it.skipIf(!isAsked || missing !== null)(
  'no answer that was acknowledged is lost when Patroni replaces a primary that dies while answers come',
  async () => {
    await using pair = await PatroniPair.start();
    const warnings: string[] = [];
    const store = await PostgresStore.open({
      url: pair.url,
      worker: { id: id('worker'), name: 'here', startedAt: at(0) },
      warn: (sentence) => warnings.push(sentence),
    });
    expect(warnings).toEqual([]);
    const thread = await aThread(store);
    const prompts: string[] = [];
    for (let made = 0; made < answersGiven; made += 1) prompts.push((await aPrompt(store, thread.id)).id);

    const acknowledged: string[] = [];
    let longestMs = 0;
    const answering = (async () => {
      const { rows } = await store.query('prompts', { limit: answersGiven });
      for (const prompt of rows) {
        const began = performance.now();
        const accept = {
          do: 'acceptAnswer',
          promptId: prompt.id,
          answers: [],
          actor: 'user:a',
          at: at(1),
        } as const;
        const { committed } = await store.commit({ operations: [accept] });
        if (committed) acknowledged.push(prompt.id);
        longestMs = Math.max(longestMs, performance.now() - began);
      }
    })();
    await waitUntil('half of the answers are acknowledged', () => acknowledged.length >= answersGiven / 2);
    const lost = await pair.killPrimary();
    const before = acknowledged.length;
    await answering;

    const { rows } = await store.query('prompts', { limit: answersGiven });
    const kept = new Set(
      rows.filter(({ acceptedAt }) => acceptedAt !== undefined).map((prompt) => prompt.id),
    );
    const gone = acknowledged.filter((each) => !kept.has(each as (typeof rows)[number]['id']));
    console.log(
      [
        pair.versions,
        `node ${lost} killed after ${before} answers; answered again after ${(longestMs / 1000).toFixed(1)} s`,
        '| answers | count |',
        '| --- | --- |',
        `| given | ${prompts.length} |`,
        `| acknowledged | ${acknowledged.length} |`,
        `| of these lost | ${gone.length} |`,
      ].join('\n'),
    );
    expect([acknowledged.length, kept.size, gone]).toEqual([answersGiven, answersGiven, []]);
    await store.close();
  },
);
