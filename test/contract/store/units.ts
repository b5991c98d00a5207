import { describe, expect, test } from 'vitest';
import { openedStore } from './opened-store.js';
import type { MakePlace } from './place.js';
import {
  aDispatch,
  aRun,
  aThread,
  at,
  done,
  id,
  idle,
  newDispatch,
  newEvent,
  newRun,
  newThread,
  refused,
  succeeded,
} from './records.js';

/** Units: all operations or none, each record as it was given, conditions that refuse the whole. */
export function unitsContract(makePlace: MakePlace): void {
  describe('units', () => {
    const opened = openedStore(makePlace);

    test('a thread says in which container its agent works, and nothing where it has none', async () => {
      const container = { image: 'agent:1', engine: 'podman' as const, memory: '4g', hosts: ['a.example'] };
      const inside = newThread({ launch: { permissions: 'approval', posture: { container } } });
      const outside = newThread();
      await done(opened.store, [
        { do: 'insertThread', thread: inside },
        { do: 'insertThread', thread: outside },
      ]);
      const place = async ({ id }: { id: (typeof inside)['id'] }) =>
        (await opened.store.query('thread', { id }))?.container;
      expect(await place(inside)).toStrictEqual({ image: 'agent:1', engine: 'podman' });
      expect(await place(outside)).toBe(undefined);
    });

    test('keep every field of what they insert and patch', async () => {
      const thread = newThread({ workspace: { path: '/w', worktree: true, branch: 'b' } });
      const run = newRun(thread.id, { process: { pid: 7, startTime: '1', bootId: 'b' }, sessionId: 's' });
      const dispatch = newDispatch(thread.id, {
        title: 'T',
        labels: { a: 'b' },
        notBefore: at(5),
        why: 'quota',
        idempotencyKey: `key ${thread.id}`,
        retryOf: id('dispatch'),
        parent: id('dispatch'),
      });
      const usage = { inputTokens: 1, outputTokens: 2, costUsd: 0.5 };
      const amendments = [{ posture: { model: 'n' }, actor: 'user:me', at: at(6) }];
      const grants = [{ promptId: id('prompt'), key: 'k', actor: 'user:me' as const, at: at(6) }];
      await done(opened.store, [
        { do: 'insertThread', thread },
        { do: 'insertRun', run },
        { do: 'insertDispatch', dispatch },
        { do: 'startAttempt', dispatchId: dispatch.id, at: at(7) },
        { do: 'addAttemptRun', dispatchId: dispatch.id, attempt: 1, runId: run.id },
        { do: 'setActiveTime', dispatchId: dispatch.id, attempt: 1, activeMs: 1500 },
        { do: 'endAttempt', dispatchId: dispatch.id, attempt: 1, at: at(8), outcome: succeeded },
        { do: 'patchThread', threadId: thread.id, patch: { grants } },
        { do: 'appendStatus', threadId: thread.id, report: idle, at: at(8) },
        { do: 'addUsage', threadId: thread.id, runtime: 'claude', at: at(8), usage },
        { do: 'patchRun', runId: run.id, patch: { killIntent: { reason: 'stop', at: at(9) }, amendments } },
        {
          do: 'patchRun',
          runId: run.id,
          patch: { endedAt: at(9), exit: { exitCode: 0, signal: null, oom: false } },
          if: { ended: false },
        },
        {
          do: 'patchDispatch',
          dispatchId: dispatch.id,
          patch: { state: 'ended', notBefore: null, why: null, outcome: succeeded, endedAt: at(9) },
          if: { state: ['queued', 'running'] },
        },
      ]);

      const { notBefore, why, ...rest } = dispatch;
      expect([notBefore, why]).toEqual([at(5), 'quota']);
      expect(await opened.store.query('thread', { id: thread.id })).toStrictEqual({
        ...thread,
        grants,
        status: idle,
        lastSeq: 0,
        usage,
        lastDispatch: { id: dispatch.id, state: 'ended', result: 'succeeded' },
      });
      expect(await opened.store.query('run', { id: run.id })).toStrictEqual({
        ...run,
        lastRunSeq: 0,
        killIntent: { reason: 'stop', at: at(9) },
        amendments,
        endedAt: at(9),
        exit: { exitCode: 0, signal: null, oom: false },
      });
      expect(await opened.store.query('dispatch', { id: dispatch.id })).toStrictEqual({
        ...rest,
        state: 'ended',
        attempts: [
          { runIds: [run.id], startedAt: at(7), activeMs: 1500, endedAt: at(8), outcome: succeeded },
        ],
        outcome: succeeded,
        endedAt: at(9),
      });
      expect(await opened.store.query('statusLog', { threadId: thread.id })).toEqual({
        rows: [{ threadId: thread.id, report: idle, at: at(8) }],
      });
    });

    test('are done whole or not at all', async () => {
      const thread = await aThread(opened.store);
      const run = await aRun(opened.store, thread.id);
      const dispatch = await aDispatch(opened.store, thread.id, { state: 'running' });
      const another = newThread();

      const refusal = await refused(opened.store, {
        operations: [
          { do: 'insertThread', thread: another },
          { do: 'appendEvents', threadId: thread.id, runId: run.id, events: [newEvent(1)] },
          { do: 'appendStatus', threadId: thread.id, report: idle, at: at(1) },
          {
            do: 'patchDispatch',
            dispatchId: dispatch.id,
            patch: { state: 'waiting' },
            if: { state: ['queued', 'ended'] },
          },
        ],
      });

      expect(refusal).toEqual({
        because: 'condition',
        operation: 3,
        current: { dispatch: { ...dispatch, attempts: [] } },
      });
      expect(await opened.store.query('thread', { id: another.id })).toBe(null);
      expect(await opened.store.query('events', { threadId: thread.id })).toEqual([]);
      expect((await opened.store.query('thread', { id: thread.id }))?.lastSeq).toBe(0);
      expect(await opened.store.query('run', { id: run.id })).toEqual({
        ...run,
        lastRunSeq: 0,
        amendments: [],
      });
      expect(await opened.store.query('statusLog', { threadId: thread.id })).toEqual({ rows: [] });
    });

    test('that are refused do not take others with them', async () => {
      const thread = await aThread(opened.store);
      const append = (name: string) =>
        opened.store.commit({
          operations: [
            { do: 'appendEvents', threadId: thread.id, events: [{ ...newEvent(1), json: name }].map(bare) },
            ...(name.startsWith('bad') ? [{ do: 'insertThread', thread } as const] : []),
          ],
        });
      const results = await Promise.all(['a', 'bad b', 'c', 'bad d', 'e'].map(append));

      expect(results.map(({ committed }) => committed)).toEqual([true, false, true, false, true]);
      expect((await opened.store.query('events', { threadId: thread.id })).map(({ json }) => json)).toEqual([
        'a',
        'c',
        'e',
      ]);
    });

    test.each([
      ['a thread', { do: 'patchThread', threadId: id('thread'), patch: { grants: [] } }],
      ['a status of a thread', { do: 'appendStatus', threadId: id('thread'), report: idle, at: at(0) }],
      ['a run', { do: 'patchRun', runId: id('run'), patch: { sessionId: 's' } }],
      ['a dispatch', { do: 'patchDispatch', dispatchId: id('dispatch'), patch: { why: 'x' } }],
      ['an attempt', { do: 'startAttempt', dispatchId: id('dispatch'), at: at(0) }],
      ['a prompt', { do: 'markDelivered', promptId: id('prompt'), at: at(0) }],
      ['an entry', { do: 'finishOutbox', id: 'none', at: at(0) }],
    ] as const)('that change %s which is not there are refused', async (_, operation) => {
      expect(await refused(opened.store, { operations: [operation] })).toEqual({
        because: 'missing',
        operation: 0,
      });
    });

    test('that contradict what is there are refused', async () => {
      const thread = await aThread(opened.store);
      const twice = await refused(opened.store, { operations: [{ do: 'insertThread', thread }] });
      const orphan = await refused(opened.store, {
        operations: [{ do: 'insertRun', run: newRun(id('thread')) }],
      });

      expect([twice, orphan]).toMatchObject([
        { because: 'conflict', operation: 0 },
        { because: 'conflict', operation: 0 },
      ]);
    });

    test('find the dispatch that has their idempotency key', async () => {
      const thread = newThread();
      const dispatch = newDispatch(thread.id, { idempotencyKey: `once ${thread.id}` });
      const again = newThread();
      await done(opened.store, [
        { do: 'insertThread', thread },
        { do: 'insertDispatch', dispatch },
      ]);

      const refusal = await refused(opened.store, {
        operations: [
          { do: 'insertThread', thread: again },
          { do: 'insertDispatch', dispatch: { ...dispatch, id: id('dispatch'), threadId: again.id } },
        ],
      });
      const stored = { ...dispatch, attempts: [] };
      expect(refusal).toEqual({ because: 'condition', operation: 1, current: { dispatch: stored } });
      expect(await opened.store.query('thread', { id: again.id })).toBe(null);
      expect(await opened.store.query('dispatch', { idempotencyKey: `once ${thread.id}` })).toEqual(stored);
    });
  });
}

function bare({ type, timestamp, json }: { type: string; timestamp: string; json: string }) {
  return { type, timestamp, json };
}
