import { describe, expect, test } from 'vitest';
import { itemText } from '../../../src/domain/thread/item-text.js';
import type { UserItem } from '../../../src/protocol/item.js';
import { openHostStage, owner, refusal } from '../host-stage.js';

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const message = (text: string, rest: Partial<UserItem> = {}): UserItem => ({
  content: [{ type: 'text', text }],
  ...rest,
});
const asks = '[[ask Which? | A | B]] [[next]] [[text Answered.]]';

describe('an item posted into a thread', () => {
  test('that is idle is work of its own', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const workspace = { path: at.folder() };
    const thread = await at.host.threads.create(
      { runtime: 'claude', workspace, posture: {}, title: 'Chat' },
      owner,
    );
    expect(thread).toMatchObject({ title: 'Chat', workspace, lastSeq: 0, status: { state: 'stopped' } });

    const posted = await at.host.threads.post(thread.id, message('[[text Hello.]]'), 'user:phone');
    // It has no place in the thread before the agent gets it.
    expect(posted).toEqual({
      item: {
        type: 'user_text',
        timestamp: instant,
        content: [{ type: 'text', text: '[[text Hello.]]' }],
        actor: 'user:phone',
        dispatchId: expect.stringMatching(/^dsp_/),
      },
      effect: 'queued',
      dispatchId: expect.stringMatching(/^dsp_/),
    });
    const { dispatchId } = posted;
    if (!dispatchId) throw new Error('unreachable');
    const ended = await at.ended({ id: dispatchId });
    expect(ended).toMatchObject({
      actor: 'user:phone',
      text: '[[text Hello.]]',
      outcome: { summary: 'Hello.' },
    });

    // On the live idle agent it is the same.
    const second = await at.host.threads.post(thread.id, message('[[text Again.]]'), owner);
    expect(second).toMatchObject({ effect: 'queued', dispatchId: expect.stringMatching(/^dsp_/) });
    if (!second.dispatchId) throw new Error('unreachable');
    expect((await at.ended({ id: second.dispatchId })).attempts[0]?.runIds).toEqual(
      ended.attempts[0]?.runIds,
    );
  });

  test('during work is a follow-up, and the last turn decides the outcome', async () => {
    const at = await openHostStage();
    const dispatch = await at.work('[[delay 2000]] [[text First.]]');
    await at.modelAsked('First.');
    const posted = await at.host.threads.post(dispatch.threadId, message('[[text Second.]]'), owner);
    expect(posted).toMatchObject({
      effect: 'queued',
      item: { type: 'user_text', content: [{ type: 'text', text: '[[text Second.]]' }] },
    });
    expect(posted).not.toHaveProperty('dispatchId');
    const ended = await at.ended(dispatch);
    expect(ended.outcome).toMatchObject({ result: 'succeeded', summary: 'Second.' });
    expect((await at.host.dispatches.list({})).rows.length).toBe(1);
    const { items } = await at.host.threads.items(dispatch.threadId, {});
    expect(items.find(({ seq }) => seq === posted.item.seq)).toEqual(posted.item);
    expect(items.flatMap((item) => (item.type === 'assistant_text' ? [itemText(item)] : []))).toEqual([
      'First.',
      'Second.',
    ]);
    // Both turns are in the bill.
    const costs = (await at.events(dispatch.threadId, 'result')).map(({ cost }) => Number(cost));
    expect(costs.length).toBe(2);
    expect(ended.outcome?.costUsd).toBeCloseTo(
      costs.reduce((sum, cost) => sum + cost, 0),
      10,
    );
  });

  test('that asks answers it', async () => {
    const at = await openHostStage();
    const dispatch = await at.work(asks);
    const prompt = await at.asked(dispatch.threadId);
    const posted = await at.host.threads.post(dispatch.threadId, message('2'), 'user:phone');
    expect(posted).toMatchObject({
      effect: 'answered',
      promptId: prompt.id,
      item: { content: [{ type: 'text', text: '2' }], actor: 'user:phone' },
    });
    expect(posted).not.toHaveProperty('dispatchId');
    await at.ended(dispatch);
    expect(await at.prompt(prompt)).toMatchObject({
      state: 'answered',
      actor: 'user:phone',
      answers: [{ question: 'Which?', answer: ['B'] }],
    });
    // The words were an answer and nothing else.
    expect(at.modelHeard()).toEqual([dispatch.text]);
    expect((await at.host.dispatches.list({})).rows.length).toBe(1);
  });

  test('for later is never an answer: it waits until the work that asks is over', async () => {
    const at = await openHostStage();
    const dispatch = await at.work(asks);
    const prompt = await at.asked(dispatch.threadId);
    const posted = await at.host.threads.post(
      dispatch.threadId,
      message('[[text Later.]]', { metadata: { queue: true } }),
      owner,
    );
    expect(posted).toMatchObject({ effect: 'queued', dispatchId: expect.stringMatching(/^dsp_/) });
    if (!posted.dispatchId) throw new Error('unreachable');
    expect(await at.prompt(prompt)).toEqual(prompt);
    const queued = { threadId: dispatch.threadId, state: 'queued' } as const;
    expect((await at.host.dispatches.list(queued)).rows).toMatchObject([
      { id: posted.dispatchId, text: '[[text Later.]]' },
    ]);

    // Until then it can be changed.
    const text = '[[text Much later.]]';
    const edited = await at.host.dispatches.edit(posted.dispatchId, { text }, 'user:phone');
    expect(edited).toMatchObject({ text, state: 'queued', actor: owner });
    expect(await at.events(dispatch.threadId, 'notice')).toMatchObject([
      { message: 'Waiting work was changed by phone.' },
    ]);
    await at.host.prompts.answer(prompt.id, { text: 'A' }, owner);
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded', summary: 'Answered.' });
    expect(await at.ended({ id: posted.dispatchId })).toMatchObject({
      text,
      outcome: { summary: 'Much later.' },
    });
    expect(at.modelHeard()).toEqual([dispatch.text, text]);
    expect(await refusal(at.host.dispatches.edit(posted.dispatchId, { text: 'again' }, owner))).toMatchObject(
      {
        code: 'conflict',
      },
    );
    // Another try is of what it became.
    const again = await at.host.dispatches.retry(posted.dispatchId, owner);
    expect(again.text).toBe(text);
    await at.ended(again);
  });

  test('with structured answers is taken verbatim, and refused where it does not fit', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work(asks);
    const other = await at.work(asks);
    const prompt = await at.asked(dispatch.threadId);
    const foreign = await at.asked(other.threadId);
    const answer = (prompt_id: typeof prompt.id, question: string, words: string[]) =>
      message('as chosen', { metadata: { prompt: { prompt_id, answers: [{ question, answer: words }] } } });
    const post = async (item: UserItem) => await at.host.threads.post(dispatch.threadId, item, owner);

    expect(await refusal(post(answer(foreign.id, 'Which?', ['A'])))).toMatchObject({ code: 'not_found' });
    expect(await refusal(post(answer(prompt.id, 'What?', ['A'])))).toMatchObject({ code: 'invalid' });
    expect(await at.prompt(prompt)).toEqual(prompt);
    expect(await at.prompt(foreign)).toEqual(foreign);

    expect(await post(answer(prompt.id, 'Which?', ['1']))).toMatchObject({
      effect: 'answered',
      promptId: prompt.id,
    });
    await at.ended(dispatch);
    expect((await at.prompt(prompt)).answers).toEqual([{ question: 'Which?', answer: ['1'] }]);
    expect(await refusal(post(answer(prompt.id, 'Which?', ['A'])))).toMatchObject({ code: 'prompt_settled' });
    expect(at.modelHeard()).toEqual([dispatch.text]);
    expect((await at.host.dispatches.list({ threadId: dispatch.threadId })).rows.length).toBe(1);
  });

  test('naming a prompt of the thread without answers answers that prompt or nothing', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work(asks);
    const prompt = await at.asked(dispatch.threadId);
    const posted = await at.host.threads.post(
      dispatch.threadId,
      message('A', { metadata: { prompt: { prompt_id: prompt.id } } }),
      owner,
    );
    expect(posted).toMatchObject({ effect: 'answered', promptId: prompt.id });
  });

  test('as work is work even while the thread asks', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work(asks);
    const prompt = await at.asked(dispatch.threadId);
    const next = await at.work('[[text Next.]]', { thread: dispatch.threadId });
    expect(await at.prompt(prompt)).toEqual(prompt);
    expect(next.state).toBe('queued');
    await at.host.prompts.answer(prompt.id, { text: '1' }, owner);
    expect((await at.ended(dispatch)).outcome?.summary).toBe('Answered.');
    expect((await at.ended(next)).outcome?.summary).toBe('Next.');
  });

  test('while work waits in the queue comes after it', { tags: ['full'] }, async () => {
    const at = await openHostStage({ slots: 1 });
    const holder = await at.work('[[hang]]');
    await at.modelAsked('[[hang]]');
    const queued = await at.work('[[text One.]]');
    const posted = await at.host.threads.post(queued.threadId, message('[[text Two.]]'), owner);
    expect(posted.effect).toBe('queued');
    await at.host.dispatches.cancel(holder.id, owner);
    await at.ended(queued);
    if (posted.dispatchId) await at.ended({ id: posted.dispatchId });
    expect(at.modelHeard('Two.')).toEqual(['[[text One.]]', '[[text Two.]]']);
  });
});

describe('two prompts at once', () => {
  const fetches =
    '[[tool WebFetch {"url":"http://127.0.0.1:1/a","prompt":"a"}]] [[tool WebFetch {"url":"http://127.0.0.1:1/b","prompt":"b"}]] [[next]] [[text Done.]]';

  test('are asked one after the other; words without a sign of what they answer are refused', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work(fetches);
    const { threadId } = dispatch;
    const active = await at.asked(threadId);
    const both = await at.prompts(threadId, 2);
    const waiting = both.find(({ id }) => id !== active.id);
    if (!waiting) throw new Error('unreachable');
    expect(both.map((prompt) => prompt.active)).toEqual([true, false]);
    expect((await at.events(threadId, 'prompt_asked')).map(({ promptId }) => promptId)).toEqual([active.id]);

    const post = async (item: UserItem) => await at.host.threads.post(threadId, item, owner);
    expect(await refusal(post(message('yes')))).toEqual({
      code: 'prompt_ambiguous',
      message: expect.stringContaining(active.id),
    });
    const [asked] = await at.events(threadId, 'prompt_asked');
    expect(await refusal(post(message('yes', { seenSeq: (asked?.seq ?? 0) - 1 })))).toMatchObject({
      code: 'prompt_ambiguous',
    });
    expect(await at.prompts(threadId, 2)).toEqual(both);

    expect(await post(message('no', { seenSeq: asked?.seq ?? 0 }))).toMatchObject({
      effect: 'answered',
      promptId: active.id,
    });
    const next = await at.asked(threadId);
    expect(next).toEqual({ ...waiting, active: true });
    expect((await at.events(threadId, 'prompt_asked')).map(({ promptId }) => promptId)).toEqual([
      active.id,
      waiting.id,
    ]);
    // One is left, so there is nothing to confuse it with.
    expect(await post(message('no'))).toMatchObject({ effect: 'answered', promptId: waiting.id });
    await at.ended(dispatch);
    expect((await at.host.prompts.list({ threadId })).rows.map(({ state }) => state)).toEqual([
      'answered',
      'answered',
    ]);
  });

  test('may be answered in any order by their ids', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work(fetches);
    const active = await at.asked(dispatch.threadId);
    const waiting = (await at.prompts(dispatch.threadId, 2)).find(({ id }) => id !== active.id);
    if (!waiting) throw new Error('unreachable');
    await at.host.prompts.answer(waiting.id, { text: 'deny' }, owner);
    expect(await at.prompt(active)).toEqual(active);
    expect(await at.status(dispatch.threadId, 'question')).toMatchObject({ promptId: active.id });
    await at.host.prompts.answer(active.id, { text: 'deny' }, owner);
    expect((await at.ended(dispatch)).outcome).toMatchObject({
      result: 'blocked',
      exitCode: 2,
      reason: 'denied',
    });
  });
});
