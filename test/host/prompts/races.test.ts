import { describe, expect, test } from 'vitest';
import type { UserItem } from '../../../src/protocol/item.js';
import { openHostStage, owner } from '../host-stage.js';

const message = (text: string): UserItem => ({ content: [{ type: 'text', text }] });

describe('a race', () => {
  test('between a follow-up and the end of the work: the words are heard once, whoever is faster', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const { threadId: thread } = await at.done('[[text Warm.]]');
    const moments = [
      'assistant_text',
      'agent_stop',
      'result',
      'turn_complete',
      'status_evidence',
      'dispatch_ended',
    ];
    const texts = ['[[text Warm.]]'];
    for (let round = 0; round < 18; round += 1) {
      const { lastSeq } = await at.thread(thread, ({ status }) => status.state === 'idle');
      const moment = moments[round % moments.length] ?? '';
      const text = `[[text Work ${round}.]]`;
      const more = `[[text More ${round}.]]`;
      const dispatch = await at.work(text, { thread });
      await at.firstEvent(thread, moment, ({ seq }) => seq > lastSeq);
      const posted = await at.host.threads.post(thread, message(more), owner);
      texts.push(text, more);
      const first = await at.ended(dispatch);
      const second = posted.dispatchId === undefined ? first : await at.ended({ id: posted.dispatchId });
      // The outcome is that of the turn that heard the last words, so it comes after that turn.
      expect(second.outcome).toMatchObject({ result: 'succeeded', summary: `More ${round}.` });
      expect(first.outcome?.summary).toBe(
        posted.dispatchId === undefined ? `More ${round}.` : `Work ${round}.`,
      );
    }
    expect(at.modelHeard()).toEqual(texts);
  });

  test('between an answer and a cancel: the prompt is settled once, the dispatch ends once', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const { threadId: thread } = await at.done('[[text Warm.]]');
    for (let round = 0; round < 12; round += 1) {
      const dispatch = await at.work('[[ask Which? | A | B]] [[next]] [[text Done.]]', { thread });
      const prompt = await at.asked(thread);
      const acts = [
        async () => await at.host.prompts.answer(prompt.id, { text: 'A' }, owner),
        async () => await at.host.dispatches.cancel(dispatch.id, owner),
      ];
      const ordered = round % 2 === 0 ? acts : acts.toReversed();
      await Promise.allSettled(ordered.map(async (act) => await act()));
      const ended = await at.ended(dispatch);
      expect(['cancelled', 'succeeded']).toContain(ended.outcome?.result);
      const settled = await at.prompt(prompt, ({ state }) => state !== 'pending');
      expect(['answered', 'cancelled', 'failed']).toContain(settled.state);
      const audits = await at.events(thread, 'prompt_settled');
      expect(audits.filter(({ promptId }) => promptId === prompt.id).length).toBe(1);
      await at.status(thread, 'idle');
    }
    expect((await at.done('[[text Last.]]', { thread })).outcome?.summary).toBe('Last.');
  });

  test('between a cancel and the start of the agent: the work is not done, the next is', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    for (const moment of ['dispatch_started', 'run_started', 'user_message', 'ready', 'init']) {
      const dispatch = await at.work(`[[hang]] ${moment}`);
      const { threadId } = dispatch;
      await at.firstEvent(threadId, moment);
      const ended = await at.host.dispatches.cancel(dispatch.id, owner);
      expect(ended.outcome).toMatchObject({ result: 'cancelled', exitCode: 130 });
      const next = await at.done(`[[text After ${moment}.]]`, { thread: threadId });
      expect(next.outcome).toMatchObject({ result: 'succeeded', summary: `After ${moment}.` });
      expect(await at.host.dispatches.get(dispatch.id)).toEqual(ended);
      // The agent stayed; it was not ended for want of a better way to stop it.
      expect([moment, await at.events(threadId, 'run_ended')]).toEqual([moment, []]);
    }
  });

  test('between two posts into an idle thread: both are heard, in one order or the other', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const { threadId: thread } = await at.done('[[text Warm.]]');
    const posts = await Promise.all(
      ['A', 'B', 'C'].map(
        async (word) => await at.host.threads.post(thread, message(`[[text ${word}.]]`), owner),
      ),
    );
    for (const { dispatchId } of posts) if (dispatchId) await at.ended({ id: dispatchId });
    await at.status(thread, 'idle');
    expect(at.modelHeard().toSorted()).toEqual([
      '[[text A.]]',
      '[[text B.]]',
      '[[text C.]]',
      '[[text Warm.]]',
    ]);
  });
});

describe('many threads', () => {
  test('share a bounded number of living agents: the oldest idle one makes room', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage({ slots: 1 });
    const threads: Awaited<ReturnType<typeof at.done>>[] = [];
    for (let index = 0; index < 6; index += 1) threads.push(await at.done(`[[text ${index}.]]`));
    expect(threads.map(({ outcome }) => outcome?.summary)).toEqual(['0.', '1.', '2.', '3.', '4.', '5.']);
    const { rows } = await at.store.query('runs', { ended: false });
    expect(rows.length).toBeLessThanOrEqual(4);
    const [oldest] = threads;
    if (!oldest) throw new Error('unreachable');
    expect(await at.status(oldest.threadId, 'stopped')).toMatchObject({
      why: 'stopped to make room for other work',
    });
    const again = await at.done('[[text Again.]]', { thread: oldest.threadId });
    expect(again.outcome?.summary).toBe('Again.');
    expect(at.modelHeard('Again.')).toEqual(['[[text 0.]]', '[[text Again.]]']);
  });
});

describe('the feed of a thread', () => {
  test('tells every event once, in order, as the store has it; live text has no place', async () => {
    const at = await openHostStage();
    const { threadId: thread } = await at.done('[[text Warm.]]');
    await at.status(thread, 'idle');
    const { lastSeq } = await at.host.threads.get(thread);
    const heard: { seq: number | null; json: string }[] = [];
    const feed = at.host.feed.subscribe(thread, { live: true }, (events) => heard.push(...events));
    await at.done(
      '[[tool Read {"file_path":"nowhere"}]] [[next]] [[text A longer text that is said in parts.]]',
      {
        thread,
      },
    );
    await at.status(thread, 'idle');
    const stored = (await at.events(thread)).filter(({ seq }) => seq > lastSeq);
    feed[Symbol.dispose]();
    const told = heard.filter(({ seq }) => seq !== null).map(({ json }) => JSON.parse(json) as unknown);
    expect(told).toEqual(stored);
    const live = heard
      .filter(({ seq }) => seq === null)
      .map(({ json }) => JSON.parse(json) as { content?: string });
    expect(live.map(({ content }) => content ?? '').join('')).toContain(
      'A longer text that is said in parts.',
    );
  });

  test('and its items come in parts that join without a seam', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const { threadId: thread } = await at.done('[[text One.]]');
    await at.done('[[tool Read {"file_path":"nowhere"}]] [[next]] [[text Two.]]', { thread });
    await at.status(thread, 'idle');
    const { items: whole } = await at.host.threads.items(thread, {});
    const joined: (typeof whole)[number][] = [];
    for (let after: number | undefined = 0; after !== undefined; ) {
      const part: Awaited<ReturnType<typeof at.host.threads.items>> = await at.host.threads.items(thread, {
        after,
        limit: 2,
      });
      joined.push(...part.items);
      after = part.next;
    }
    expect(joined).toEqual(whole);
  });
});
