import { describe, expect, test } from 'vitest';
import { openedStore } from './opened-store.js';
import type { MakePlace } from './place.js';
import { aRun, aThread, done, id, newEvent, refused } from './records.js';

/** Events: numbered without gaps, in order, each of a run's only once. */
export function eventsContract(makePlace: MakePlace): void {
  describe('events', () => {
    const opened = openedStore(makePlace);

    test('get the numbers of their thread, in order', async () => {
      const [one, other] = [await aThread(opened.store), await aThread(opened.store)];
      const run = await aRun(opened.store, one.id);
      const results = await done(opened.store, [
        { do: 'appendEvents', threadId: one.id, runId: run.id, events: [newEvent(1), newEvent(2)] },
        { do: 'appendEvents', threadId: other.id, events: [{ ...note, json: '{"of":"other"}' }] },
        { do: 'appendEvents', threadId: one.id, events: [note] },
      ]);

      expect(results).toEqual([
        { seqs: [1, 2], repeated: 0 },
        { seqs: [1], repeated: 0 },
        { seqs: [3], repeated: 0 },
      ]);
      expect(await opened.store.query('events', { threadId: one.id })).toEqual([
        { threadId: one.id, seq: 1, runId: run.id, ...newEvent(1) },
        { threadId: one.id, seq: 2, runId: run.id, ...newEvent(2) },
        { threadId: one.id, seq: 3, runId: null, runSeq: null, ...note },
      ]);
      expect((await opened.store.query('thread', { id: one.id }))?.lastSeq).toBe(3);
      expect((await opened.store.query('thread', { id: other.id }))?.lastSeq).toBe(1);
    });

    test('of a run are stored once, and a repeat tells where', async () => {
      const thread = await aThread(opened.store);
      const run = await aRun(opened.store, thread.id);
      const append = (...runSeqs: number[]) =>
        done(opened.store, [
          { do: 'appendEvents', threadId: thread.id, runId: run.id, events: runSeqs.map((n) => newEvent(n)) },
        ]);
      await append(1, 2);

      expect(await append(1, 2, 3)).toEqual([{ seqs: [1, 2, 3], repeated: 2 }]);
      expect(await append(2)).toEqual([{ seqs: [2], repeated: 1 }]);
      expect(await append(4, 4)).toEqual([{ seqs: [4, 4], repeated: 1 }]);
      expect(
        (await opened.store.query('events', { threadId: thread.id })).map(({ runSeq }) => runSeq),
      ).toEqual([1, 2, 3, 4]);
      expect(await opened.store.query('run', { id: run.id })).toEqual({
        ...run,
        lastRunSeq: 4,
        amendments: [],
      });
      expect((await opened.store.query('thread', { id: thread.id }))?.lastSeq).toBe(4);
    });

    test('are stored once when many append the same at the same time', async () => {
      const thread = await aThread(opened.store);
      const run = await aRun(opened.store, thread.id);
      const events = Array.from({ length: 20 }, (_, index) => newEvent(index + 1));
      await Promise.all(
        Array.from({ length: 10 }, (_, writer) =>
          Promise.all(
            events
              .slice(writer)
              .map((event) =>
                done(opened.store, [
                  { do: 'appendEvents', threadId: thread.id, runId: run.id, events: [event] },
                ]),
              ),
          ),
        ),
      );

      const stored = await opened.store.query('events', { threadId: thread.id });
      expect(stored.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      expect(new Set(stored.map(({ runSeq }) => runSeq))).toEqual(
        new Set(events.map(({ runSeq }) => runSeq)),
      );
    });

    test('are refused when more or less of the run was ingested than the writer thinks', async () => {
      const thread = await aThread(opened.store);
      const run = await aRun(opened.store, thread.id);
      const append = (ifLastRunSeq: number, runSeq: number) => ({
        operations: [
          {
            do: 'appendEvents',
            threadId: thread.id,
            runId: run.id,
            ifLastRunSeq,
            events: [newEvent(runSeq)],
          },
          { do: 'addUsage', threadId: thread.id, runtime: 'claude', at: newEvent(1).timestamp, usage },
        ] as const,
      });
      await done(opened.store, append(0, 1).operations);

      expect(await refused(opened.store, append(0, 1))).toEqual({
        because: 'condition',
        operation: 0,
        current: { run: { ...run, lastRunSeq: 1, amendments: [] } },
      });
      await done(opened.store, append(1, 2).operations);
      expect(await opened.store.query('thread', { id: thread.id })).toMatchObject({
        lastSeq: 2,
        usage: { inputTokens: 2, outputTokens: 4, costUsd: null },
      });
    });

    test('are refused when somebody else has added to the thread', async () => {
      const thread = await aThread(opened.store);
      const append = (ifLastSeq: number) =>
        ({ do: 'appendEvents', threadId: thread.id, ifLastSeq, events: [note] }) as const;
      await done(opened.store, [append(0), append(1)]);

      expect(await refused(opened.store, { operations: [append(1)] })).toEqual({
        because: 'condition',
        operation: 0,
        current: { thread: await opened.store.query('thread', { id: thread.id }) },
      });
      await done(opened.store, [append(2)]);
    });

    test('are numbered without gaps around units that are taken back', async () => {
      const thread = await aThread(opened.store);
      const run = await aRun(opened.store, thread.id);
      const append = (runSeq: number) =>
        ({
          do: 'appendEvents',
          threadId: thread.id,
          runId: run.id,
          ifLastRunSeq: runSeq - 1,
          events: [newEvent(runSeq)],
        }) as const;
      const results = await Promise.all([
        opened.store.commit({ operations: [append(1)] }),
        opened.store.commit({
          operations: [
            append(2),
            { do: 'patchRun', runId: run.id, patch: { sessionId: 's' } },
            { do: 'patchRun', runId: run.id, patch: {}, if: { ended: true } },
          ],
        }),
        opened.store.commit({ operations: [append(2)] }),
        opened.store.commit({ operations: [append(2)] }),
      ]);

      const current = (lastRunSeq: number, fields = {}) => ({
        run: { ...run, lastRunSeq, amendments: [], ...fields },
      });
      expect(results).toEqual([
        { committed: true, results: [{ seqs: [1], repeated: 0 }] },
        {
          committed: false,
          refusal: { because: 'condition', operation: 2, current: current(2, { sessionId: 's' }) },
        },
        { committed: true, results: [{ seqs: [2], repeated: 0 }] },
        { committed: false, refusal: { because: 'condition', operation: 0, current: current(2) } },
      ]);
      expect(await opened.store.query('run', { id: run.id })).toEqual(current(2).run);
      expect((await opened.store.query('events', { threadId: thread.id })).map(({ seq }) => seq)).toEqual([
        1, 2,
      ]);
    });

    test('of an unknown thread, or a run of another thread, are refused', async () => {
      const [one, other] = [await aThread(opened.store), await aThread(opened.store)];
      const run = await aRun(opened.store, one.id);
      const append = (threadId: typeof one.id) => ({
        operations: [{ do: 'appendEvents', threadId, runId: run.id, events: [newEvent(1)] }] as const,
      });

      expect(await refused(opened.store, append(id('thread')))).toEqual({ because: 'missing', operation: 0 });
      expect(await refused(opened.store, append(other.id))).toEqual({ because: 'missing', operation: 0 });
    });

    test('are read after a number, so many at a time', async () => {
      const thread = await aThread(opened.store);
      const run = await aRun(opened.store, thread.id);
      const events = Array.from({ length: 250 }, (_, index) => newEvent(index + 1));
      await done(opened.store, [{ do: 'appendEvents', threadId: thread.id, runId: run.id, events }]);
      const seqs = async (input: { after?: number; limit?: number }) =>
        (await opened.store.query('events', { threadId: thread.id, ...input })).map(({ seq }) => seq);

      expect(await seqs({ after: 3, limit: 3 })).toEqual([4, 5, 6]);
      expect(await seqs({ after: 248 })).toEqual([249, 250]);
      expect(await seqs({ after: 250 })).toEqual([]);
      expect((await seqs({})).length).toBe(100);
      expect((await seqs({ limit: 5000 })).length).toBe(250);
    });

    test('keep their text as it came, whatever it holds', async () => {
      const thread = await aThread(opened.store);
      const texts = [
        '"\\u0000\\ud800 \u2028"',
        '"🙋"',
        `"${'x'.repeat(3_000_000)}"`,
        '{"type":"from a newer runner"}',
      ];
      await done(opened.store, [
        { do: 'appendEvents', threadId: thread.id, events: texts.map((json) => ({ ...note, json })) },
      ]);

      expect((await opened.store.query('events', { threadId: thread.id })).map(({ json }) => json)).toEqual(
        texts,
      );
    });
  });
}

const usage = { inputTokens: 1, outputTokens: 2, costUsd: null };
const note = { type: 'note', timestamp: '2026-01-01T00:00:00.000Z', json: '{"type":"note"}' };
