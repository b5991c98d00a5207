import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AnswerRequest } from '../../../src/protocol/prompt.js';
import { type HostStage, openHostStage, owner, refusal } from '../host-stage.js';

const approval = '[[tool Bash {"command":"echo made > made.txt"}]] [[next]] [[text Done.]]';
const yes = { decision: { approved: true } };
const held = (holdSeconds: number): AnswerRequest => ({ ...yes, holdSeconds });

/** An agent that asks whether it may make a file. */
async function asking(at: HostStage) {
  const path = at.folder();
  const dispatch = await at.work(approval, { workspace: { path } });
  const prompt = await at.asked(dispatch.threadId);
  return { dispatch, prompt, made: join(path, 'made.txt') };
}

describe('an answer that is held back', () => {
  test('is accepted when its time is over', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const { dispatch, prompt, made } = await asking(at);
    const before = Date.now();
    const kept = await at.host.prompts.answer(prompt.id, held(1), owner);
    expect(kept).toEqual({
      ...prompt,
      actor: owner,
      answers: [{ question: prompt.questions[0]?.question, answer: ['Approve'] }],
      decision: { approved: true },
      undoUntil: expect.any(String),
    });
    expect(Date.parse(kept.undoUntil ?? '') - before).toBeGreaterThanOrEqual(1000);
    expect(existsSync(made)).toBe(false);
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded' });
    const { acceptedAt = '', undoUntil } = await at.prompt(prompt);
    expect(acceptedAt >= (kept.undoUntil ?? '')).toBe(true);
    expect(undoUntil).toBeUndefined();
    expect(existsSync(made)).toBe(true);
  });

  test('can be undone by whoever gave it, and by nobody else; the prompt is open again', async () => {
    const at = await openHostStage();
    const { dispatch, prompt, made } = await asking(at);
    await at.host.prompts.answer(prompt.id, held(60), owner);
    const late = await refusal(at.host.prompts.answer(prompt.id, yes, 'user:phone'));
    expect(late).toMatchObject({ code: 'prompt_settled' });
    expect(late.message).toContain('was answered by user:owner, who can undo it until');
    expect(await refusal(at.host.prompts.undo(prompt.id, 'user:phone'))).toMatchObject({ code: 'forbidden' });
    expect(await refusal(at.host.prompts.cancel(prompt.id, {}))).toMatchObject({ code: 'prompt_settled' });

    expect(await at.host.prompts.undo(prompt.id, owner)).toEqual(prompt);
    expect(await refusal(at.host.prompts.undo(prompt.id, owner))).toMatchObject({ code: 'conflict' });
    await at.host.prompts.answer(prompt.id, { decision: { approved: false } }, 'user:phone');
    expect(await refusal(at.host.prompts.undo(prompt.id, owner))).toMatchObject({ code: 'prompt_settled' });
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'blocked' });
    expect(existsSync(made)).toBe(false);
  });

  test('outlives its worker: the next one accepts it', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const { dispatch, prompt, made } = await asking(at);
    await at.host.prompts.answer(prompt.id, held(2), owner);
    await at.leave();
    await at.open();
    expect((await at.ended(dispatch)).outcome).toMatchObject({ result: 'succeeded' });
    expect(await at.prompt(prompt)).toMatchObject({ actor: owner, acceptedAt: expect.any(String) });
    expect(existsSync(made)).toBe(true);
  });

  test('does not count when its turn is interrupted before', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const { dispatch, prompt, made } = await asking(at);
    await at.host.prompts.answer(prompt.id, held(60), owner);
    await at.host.dispatches.cancel(dispatch.id, owner);
    const closed = await at.prompt(prompt, ({ state }) => state !== 'pending');
    expect(closed).toMatchObject({ state: 'cancelled', reason: 'dispatch_cancelled' });
    expect(closed.answers).toBeUndefined();
    expect(existsSync(made)).toBe(false);
  });
});
