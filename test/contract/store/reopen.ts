import { array, assert, asyncProperty, constant, integer, nat, oneof, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Store } from '../../../src/store/store.js';
import type { MakePlace } from './place.js';
import { aRun, aThread, at, done, newEvent } from './records.js';

/** Reopening: everything that was acknowledged is there, nothing else, in the order a simple model predicts. */
export function reopenContract(makePlace: MakePlace): void {
  describe('a store', () => {
    test('finishes what was asked for before it closes, and takes nothing after', async () => {
      const place = await makePlace();
      const store = await place.open();
      const thread = await aThread(store);
      const append = { do: 'appendEvents', threadId: thread.id, events: [bare(1)] } as const;
      const asked = Array.from({ length: 100 }, () => done(store, [append]));
      const closing = store.close();
      await expect(done(store, [append])).rejects.toMatchObject({ name: 'Failure', code: 'unavailable' });
      await closing;
      await store.close();

      expect((await Promise.all(asked)).flatMap(([{ seqs }]) => seqs)).toEqual(
        asked.map((_, index) => index + 1),
      );
      await expect(store.query('threads', {})).rejects.toMatchObject({ code: 'unavailable' });
      const again = await place.open();
      expect((await again.query('thread', { id: thread.id }))?.lastSeq).toBe(100);
      await again.close();
      await place.remove();
    });

    test('agrees with a model, whatever units come together, across reopening', async () => {
      const place = await makePlace();
      let store: Store = await place.open();
      const step = oneof(
        {
          weight: 18,
          arbitrary: record({
            kind: constant('append' as const),
            writer: nat(2),
            from: nat(3),
            count: integer({ min: 1, max: 4 }),
          }),
        },
        { weight: 6, arbitrary: record({ kind: constant('fail' as const), writer: nat(2) }) },
        { weight: 1, arbitrary: constant({ kind: 'reopen' as const }) },
      );
      await assert(
        asyncProperty(array(step, { maxLength: 30 }), async (steps) => {
          const thread = await aThread(store);
          const runs = [
            await aRun(store, thread.id),
            await aRun(store, thread.id),
            await aRun(store, thread.id),
          ];
          const expected: string[] = [];
          const lastRunSeq = [0, 0, 0];
          let together: Promise<unknown>[] = [];

          for (const each of steps) {
            if (each.kind === 'reopen') {
              await Promise.all(together);
              together = [];
              await store.close();
              store = await place.open();
              continue;
            }
            const run = runs[each.writer];
            const last = lastRunSeq[each.writer] ?? 0;
            if (!run) continue;
            if (each.kind === 'fail') {
              const events = [newEvent(last + 1, 'never')];
              const operations = [
                { do: 'appendEvents', threadId: thread.id, runId: run.id, events },
                { do: 'insertThread', thread },
              ] as const;
              together.push(
                store.commit({ operations }).then(({ committed }) => expect(committed).toBe(false)),
              );
              continue;
            }
            const start = Math.max(1, last + 1 - each.from);
            const runSeqs = Array.from({ length: each.count }, (_, index) => start + index);
            const events = runSeqs.map((runSeq) => newEvent(runSeq, `${each.writer}:${runSeq}`));
            for (const runSeq of runSeqs) if (runSeq > last) expected.push(`${each.writer}:${runSeq}`);
            lastRunSeq[each.writer] = Math.max(last, start + each.count - 1);
            together.push(done(store, [{ do: 'appendEvents', threadId: thread.id, runId: run.id, events }]));
          }
          await Promise.all(together);

          const stored = await store.query('events', { threadId: thread.id, limit: 1000 });
          const content = stored.map(({ json }) => String(Object(JSON.parse(json)).content));
          expect(content).toEqual(expected);
          expect(stored.map(({ seq }) => seq)).toEqual(expected.map((_, index) => index + 1));
        }),
        { numRuns: 25 },
      );
      await store.close();
      await place.remove();
    });
  });
}

function bare(seconds: number) {
  return { type: 'note', timestamp: at(seconds), json: '{"type":"note"}' };
}
