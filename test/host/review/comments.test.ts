import { describe, expect, test } from 'vitest';
import type { ReviewComment } from '../../../src/protocol/review-comment.js';
import { waitUntil } from '../../harness/wait-until.js';
import { tool } from '../../runner/prompting.js';
import { type HostStage, openHostStage, owner, refusal } from '../host-stage.js';

const autonomous = { permissions: 'autonomous' } as const;
const mine = { file: 'a.ts', line: 3, side: 'new', body: 'Why three?' } as const;

describe('review comments', () => {
  test('of people and of the agent are the same, and go to the agent as one piece of work', async () => {
    const at = await openHostStage();
    const first = await at.done(
      `${tool('mcp__handraise__add_review_comment', { file: 'a.ts', line: 1, body: 'Unsure.', severity: 'info' })} [[next]] [[text Done.]]`,
      autonomous,
    );
    const { threadId } = first;
    expect((await at.host.comments.list(threadId, {})).rows).toMatchObject([
      {
        file: 'a.ts',
        line: 1,
        side: 'new',
        body: 'Unsure.',
        severity: 'info',
        author: 'agent',
        state: 'open',
      },
    ]);
    const comment = await at.host.comments.add(threadId, { ...mine, quote: 'three()' }, owner);
    const listing = `[[text list]] ${tool('mcp__handraise__list_review_comments')} [[next]] [[text Listed.]]`;
    const asked = await at.host.comments.add(
      threadId,
      { ...mine, file: 'b.ts', body: listing },
      'user:phone',
    );
    const { dispatchId, sent } = await at.host.comments.send(threadId, {}, owner);
    expect(sent).toEqual([comment.id, asked.id]);
    const dispatch = await at.ended({ id: dispatchId });
    expect(dispatch.text).toContain('1. a.ts:3\n> three()\nWhy three?\n\n2. b.ts:3\n');
    expect(dispatch.outcome).toMatchObject({ result: 'succeeded' });
    const listed = JSON.parse(at.stage.simulator.toolResults().at(-1)?.text ?? '') as {
      comments: ReviewComment[];
    };
    expect(listed.comments.map(({ author, body }) => [author, body])).toEqual([
      ['agent', 'Unsure.'],
      [owner, 'Why three?'],
      ['user:phone', listing],
    ]);
    const kept = (await at.host.comments.list(threadId, { file: 'a.ts' })).rows;
    expect(kept.map(({ sentAt, dispatchId: work }) => [sentAt !== undefined, work])).toEqual([
      [false, undefined],
      [true, dispatchId],
    ]);
    expect(await refusal(at.host.comments.send(threadId, {}, owner))).toMatchObject({ code: 'conflict' });
  });

  test('are kept over a restart, and each change is the last word', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const { threadId } = await at.done('[[text Done.]]');
    const id = '0b1f6a52-9f5b-4b64-8f0e-0a7c2e1d3c4b';
    const [one, again] = await Promise.all([
      at.host.comments.add(threadId, { ...mine, id }, owner),
      at.host.comments.add(threadId, { ...mine, id, body: 'Twice' }, owner),
    ]);
    expect(again).toEqual(one);
    await at.host.comments.edit(threadId, id, { state: 'resolved' }, 'user:phone');
    await at.leave();
    await at.open();
    expect((await at.host.comments.list(threadId, {})).rows).toEqual([
      { ...one, state: 'resolved', resolvedAt: expect.any(String), resolvedBy: 'user:phone' },
    ]);
    expect(await refusal(at.host.comments.send(threadId, { ids: [id] }, owner))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('resolved'),
    });
    expect(await refusal(at.host.comments.edit(threadId, id, { body: 'Mine' }, 'user:phone'))).toMatchObject({
      code: 'forbidden',
    });
    await at.host.comments.remove(threadId, id);
    expect(await refusal(at.host.comments.remove(threadId, id))).toMatchObject({ code: 'not_found' });
  });

  test('of a worker that died before it had marked them as sent are the same work again', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const { threadId } = await at.done('[[text Done.]]');
    const comment = await at.host.comments.add(threadId, { ...mine, body: '[[text Fixed.]]' }, owner);
    const first = await at.host.comments.send(threadId, {}, owner);
    await at.store.commit({ operations: [{ do: 'replaceComment', comment }] });
    expect(await at.host.comments.send(threadId, {}, owner)).toEqual(first);
    const again = await at.host.comments.send(threadId, { ids: [comment.id] }, owner);
    expect(again.dispatchId).not.toBe(first.dispatchId);
  });

  test('that a person removes are gone for an agent that is at work', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const add = tool('mcp__handraise__add_review_comment', { file: 'a.ts', line: 1, body: 'Unsure.' });
    const work = await at.work(
      `${add} [[next]] [[delay 3000]] ${tool('mcp__handraise__list_review_comments')} [[next]] [[text Done.]]`,
      autonomous,
    );
    const { id } = await firstComment(at, work);
    await at.host.comments.remove(work.threadId, id);
    await at.ended(work);
    expect(JSON.parse(at.stage.simulator.toolResults().at(-1)?.text ?? '')).toMatchObject({ comments: [] });
  });
});

async function firstComment(
  at: HostStage,
  { threadId }: { readonly threadId: ReviewComment['threadId'] },
): Promise<ReviewComment> {
  let found: ReviewComment | undefined;
  await waitUntil('the agent has commented', async () => {
    [found] = (await at.host.comments.list(threadId, {})).rows;
    return found !== undefined;
  });
  if (!found) throw new Error('unreachable');
  return found;
}
