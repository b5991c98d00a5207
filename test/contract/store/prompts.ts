import { describe, expect, test } from 'vitest';
import { openedStore } from './opened-store.js';
import type { MakePlace } from './place.js';
import { aPrompt, aRun, aThread, at, done, newPrompt, refused } from './records.js';

/** Prompts: accepted exactly once whoever races, delivered and consumed in order, one active in a thread. */
export function promptsContract(makePlace: MakePlace): void {
  describe('prompts', () => {
    const opened = openedStore(makePlace);

    test('walk from open to consumed, with every field kept', async () => {
      const thread = await aThread(opened.store);
      const run = await aRun(opened.store, thread.id);
      const prompt = newPrompt(thread.id, {
        kind: 'approval',
        active: true,
        action: { tool: 'Bash', input: { command: 'ls' }, digest: 'd' },
        deadline: at(60),
        runId: run.id,
        requestId: 'r',
        toolUseId: 't',
      });
      const promptId = prompt.id;
      const answers = [{ question: 'Where?', answer: ['Approve'] }];
      const answer = { decision: { approved: true, scope: 'once' } } as const;
      await done(opened.store, [{ do: 'openPrompt', prompt }]);
      expect(await opened.store.query('prompt', { id: promptId })).toStrictEqual({
        ...prompt,
        state: 'pending',
      });

      const accepted = {
        ...prompt,
        active: false,
        answers,
        answer,
        actor: 'user:me',
        acceptedAt: at(4),
      };
      const results = await done(opened.store, [
        { do: 'acceptAnswer', promptId, actor: 'user:me', at: at(4), answers, answer },
        { do: 'markDelivered', promptId, at: at(5) },
        { do: 'markConsumed', promptId, at: at(6) },
      ]);
      expect(results).toStrictEqual([
        { ...accepted, state: 'pending' },
        { ...accepted, state: 'answered', deliveredAt: at(5) },
        { ...accepted, state: 'answered', deliveredAt: at(5), consumedAt: at(6) },
      ]);
    });

    test('list answers that were not used, until they are used or dropped', async () => {
      const thread = await aThread(opened.store);
      const [used, dropped, open] = [
        await aPrompt(opened.store, thread.id),
        await aPrompt(opened.store, thread.id),
        await aPrompt(opened.store, thread.id),
      ];
      const unused = async () => {
        const { rows } = await opened.store.query('prompts', { threadId: thread.id, unused: true });
        return rows.map(({ id }) => id);
      };
      for (const { id: promptId } of [used, dropped])
        await done(opened.store, [
          { do: 'acceptAnswer', promptId, actor: 'user:me', at: at(4), answer: { text: 'A' } },
          { do: 'markDelivered', promptId, at: at(5) },
        ]);
      expect(await unused()).toEqual([used.id, dropped.id]);
      await done(opened.store, [
        { do: 'markConsumed', promptId: used.id, at: at(6) },
        { do: 'dropAnswer', promptId: dropped.id },
      ]);
      expect(await unused()).toEqual([]);
      for (const { id: promptId } of [used, open])
        expect(await refused(opened.store, { operations: [{ do: 'dropAnswer', promptId }] })).toMatchObject({
          because: 'condition',
        });
    });

    test('are accepted once, however many answer at the same time', async () => {
      const thread = await aThread(opened.store);
      const prompt = await aPrompt(opened.store, thread.id);
      const answer = (name: string) =>
        opened.store.commit({
          operations: [
            {
              do: 'acceptAnswer',
              promptId: prompt.id,
              actor: `user:${name}`,
              at: at(4),
              answer: { text: name },
            },
          ],
        });
      const results = await Promise.all(Array.from({ length: 30 }, (_, index) => answer(`${index}`)));

      const winners = results.filter(({ committed }) => committed);
      const stored = await opened.store.query('prompt', { id: prompt.id });
      expect(winners).toEqual([{ committed: true, results: [stored] }]);
      expect(results.filter(({ committed }) => !committed)).toEqual(
        Array.from({ length: 29 }, () => ({
          committed: false,
          refusal: { because: 'condition', operation: 0, current: { prompt: stored } },
        })),
      );
    });

    test('keep an answer that can be undone, until it is undone, accepted, or the prompt is closed', async () => {
      const thread = await aThread(opened.store);
      const [undone, accepted, closed] = [
        await aPrompt(opened.store, thread.id),
        await aPrompt(opened.store, thread.id),
        await aPrompt(opened.store, thread.id),
      ];
      const said = {
        actor: 'user:me' as const,
        answer: { text: 'A' },
        answers: [{ question: 'Where?', answer: ['A'] }],
      };
      const held = { ...said, undoUntil: at(9) };
      const hold = (promptId: typeof undone.id) => ({ do: 'holdAnswer', promptId, ...held }) as const;
      const undo = (promptId: typeof undone.id) => ({ do: 'undoAnswer', promptId }) as const;
      const accept = (promptId: typeof undone.id) =>
        ({ do: 'acceptAnswer', promptId, at: at(10), ...said }) as const;
      const [first] = await done(opened.store, [hold(undone.id), hold(accepted.id), hold(closed.id)]);
      expect(first).toStrictEqual({ ...undone, state: 'pending', ...held });
      const heldBack = await opened.store.query('prompts', { threadId: thread.id, heldBack: true });
      expect(heldBack.rows.map(({ id }) => id)).toEqual([undone.id, accepted.id, closed.id]);
      expect(await refused(opened.store, { operations: [hold(undone.id)] })).toMatchObject({
        because: 'condition',
      });

      const settlement = { state: 'cancelled', reason: 'turn_cancelled' } as const;
      await done(opened.store, [
        undo(undone.id),
        accept(accepted.id),
        { do: 'settlePrompt', promptId: closed.id, ...settlement },
      ]);
      const stored = await opened.store.query('prompts', { threadId: thread.id });
      expect(stored.rows).toStrictEqual([
        { ...undone, state: 'pending' },
        { ...accepted, ...said, state: 'pending', acceptedAt: at(10) },
        // What could still be undone never counted.
        { ...closed, ...settlement },
      ]);
      const after = await opened.store.query('prompts', { threadId: thread.id, heldBack: true });
      expect(after.rows).toEqual([]);
      for (const { id } of [undone, accepted, closed])
        expect(await refused(opened.store, { operations: [undo(id)] })).toMatchObject({
          because: 'condition',
        });
    });

    test('settle exactly once', async () => {
      const thread = await aThread(opened.store);
      const [cancelled, failed, accepted] = [
        await aPrompt(opened.store, thread.id, { active: true }),
        await aPrompt(opened.store, thread.id),
        await aPrompt(opened.store, thread.id),
      ];
      const accept = (promptId: typeof failed.id) =>
        ({ do: 'acceptAnswer', promptId, actor: 'user:me', at: at(4) }) as const;
      const settle = (promptId: typeof failed.id, state: 'cancelled' | 'failed') =>
        ({ do: 'settlePrompt', promptId, state, reason: 'timeout', actor: 'policy:deadline' }) as const;
      await done(opened.store, [
        settle(cancelled.id, 'cancelled'),
        accept(failed.id),
        settle(failed.id, 'failed'),
        accept(accepted.id),
      ]);

      expect(await opened.store.query('prompt', { id: cancelled.id })).toEqual({
        ...cancelled,
        state: 'cancelled',
        active: false,
        reason: 'timeout',
        actor: 'policy:deadline',
      });
      const late = await Promise.all(
        [
          accept(cancelled.id),
          settle(cancelled.id, 'failed'),
          { do: 'markDelivered', promptId: cancelled.id, at: at(5) } as const,
          { do: 'markConsumed', promptId: accepted.id, at: at(5) } as const,
          settle(accepted.id, 'cancelled'),
          accept(failed.id),
        ].map((operation) => refused(opened.store, { operations: [operation] })),
      );
      expect(late.map(({ because }) => because)).toEqual(Array.from({ length: 6 }, () => 'condition'));
    });

    test('are active one at a time in a thread', async () => {
      const thread = await aThread(opened.store);
      const first = await aPrompt(opened.store, thread.id, { active: true });
      const second = await aPrompt(opened.store, thread.id);
      const activate = { do: 'patchPrompt', promptId: second.id, patch: { active: true } } as const;

      expect(await refused(opened.store, { operations: [activate] })).toMatchObject({ because: 'conflict' });
      await done(opened.store, [
        { do: 'acceptAnswer', promptId: first.id, actor: 'user:me', at: at(4) },
        activate,
      ]);
      expect(
        await refused(opened.store, { operations: [{ ...activate, promptId: first.id }] }),
      ).toMatchObject({ because: 'condition' });
      const { rows } = await opened.store.query('prompts', { threadId: thread.id });
      expect(rows.map(({ active }) => active)).toEqual([false, true]);
    });

    test('are listed by thread, state and openness, oldest first', async () => {
      const [thread, other] = [await aThread(opened.store), await aThread(opened.store)];
      const open = await aPrompt(opened.store, thread.id, { fingerprint: 'same' });
      const accepted = await aPrompt(opened.store, thread.id);
      const settled = await aPrompt(opened.store, thread.id, { fingerprint: 'same' });
      await aPrompt(opened.store, other.id);
      await done(opened.store, [
        { do: 'acceptAnswer', promptId: accepted.id, actor: 'user:me', at: at(4) },
        { do: 'settlePrompt', promptId: settled.id, state: 'cancelled', reason: 'timeout' },
      ]);
      const list = async (filter: object) =>
        (await opened.store.query('prompts', { threadId: thread.id, ...filter })).rows.map(({ id }) => id);

      expect(await list({})).toEqual([open.id, accepted.id, settled.id]);
      expect(await list({ order: 'newest_first' })).toEqual([settled.id, accepted.id, open.id]);
      expect(await list({ state: 'pending' })).toEqual([open.id, accepted.id]);
      expect(await list({ open: true })).toEqual([open.id]);
      expect(await list({ open: false })).toEqual([accepted.id, settled.id]);
    });
  });
}
