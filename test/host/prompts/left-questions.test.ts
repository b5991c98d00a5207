import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Dispatch } from '../../../src/protocol/dispatch.js';
import { type HostStage, openHostStage, owner } from '../host-stage.js';

/** Work that leaves a question in the file and stops. */
function leaves(path: string, file: unknown): string {
  const content = typeof file === 'string' ? file : JSON.stringify(file);
  const input = JSON.stringify({ file_path: join(path, '.agora', 'needs_input.json'), content });
  return `[[tool Write ${input}]] [[next]] [[text I need to know something.]]`;
}

async function asking(at: HostStage, file: unknown) {
  const path = at.folder();
  const dispatch = await at.work(leaves(path, file), { workspace: { path } });
  return { path, dispatch, prompt: await at.asked(dispatch.threadId) };
}

const tryEnded = ({ attempts }: Dispatch) => attempts.at(-1)?.endedAt !== undefined;

describe('a question that an agent leaves in a file', () => {
  test('is asked; its answer is a new turn of the live agent, which gets back what it had noted', async () => {
    const at = await openHostStage();
    const partial_state = { step: 3, notes: ['a', 'b'] };
    const { dispatch, prompt } = await asking(at, {
      question: 'Which port?',
      context: 'The server needs one.',
      partial_state,
    });
    const { threadId } = dispatch;
    expect(prompt).toMatchObject({
      kind: 'text',
      state: 'pending',
      active: true,
      questions: [
        { question: 'Which port?', context: 'The server needs one.', multiSelect: false, options: [] },
      ],
    });
    const [asked] = await at.events(threadId, 'prompt_asked');
    expect(JSON.stringify(asked?.item)).toContain('The server needs one.');
    expect(await at.dispatch(dispatch, tryEnded)).toMatchObject({
      state: 'waiting',
      attempts: [{ outcome: { result: 'blocked', claim: 'needs_input', reason: 'needs_input' } }],
    });
    expect(await at.status(threadId, 'question')).toMatchObject({ promptId: prompt.id, held: true });

    await at.host.prompts.answer(prompt.id, { text: 'Use 8080, please.' }, owner);
    const ended = await at.ended(dispatch);
    expect(ended.outcome).toMatchObject({ result: 'succeeded', exitCode: 0 });
    expect(ended.attempts.map(({ runIds, outcome }) => [runIds.length, outcome?.result])).toEqual([
      [1, 'blocked'],
      [1, 'succeeded'],
    ]);
    const [, answer = ''] = at.modelHeard();
    expect(at.modelHeard().length).toBe(2);
    const returned: unknown = JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1));
    expect(returned).toMatchObject({ question: 'Which port?', answer: 'Use 8080, please.', partial_state });
    expect(await at.prompt(prompt, ({ consumedAt }) => consumedAt !== undefined)).toMatchObject({
      state: 'answered',
      actor: owner,
      answers: [{ answer: ['Use 8080, please.'] }],
    });
    expect((await at.events(threadId, 'run_started')).length).toBe(1);
  });

  test('with options takes a number', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const { dispatch, prompt } = await asking(at, { question: 'Which?', options: ['red', 'blue'] });
    expect(prompt).toMatchObject({
      kind: 'ask_user_question',
      questions: [{ options: [{ label: 'red' }, { label: 'blue' }] }],
    });
    await at.host.prompts.answer(prompt.id, { text: '2' }, owner);
    expect((await at.ended(dispatch)).outcome?.result).toBe('succeeded');
    expect(at.modelHeard()[1]).toContain('blue');
  });

  test('outlives its agent: the answer starts it again with the question and the answer', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const { dispatch, prompt } = await asking(at, { question: 'Which port?' });
    await at.reached(dispatch, 'waiting');
    await at.kill('runner');
    await at.thread(dispatch.threadId, ({ status }) => status.state === 'question' && !status.held);
    await at.leave();
    await at.open();
    expect(await at.prompt(prompt)).toEqual(prompt);
    await at.host.prompts.answer(prompt.id, { text: '8080' }, owner);
    const ended = await at.ended(dispatch);
    expect(ended.outcome?.result).toBe('succeeded');
    const heard = at.modelHeard('8080');
    expect(heard.filter((text) => text.includes('8080')).length).toBe(1);
    expect(heard[0]).toBe(dispatch.text);
  });

  test('where nobody is to be asked blocks the work', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const path = at.folder();
    const ended = await at.done(leaves(path, { question: 'Which port?' }), {
      workspace: { path },
      noInput: true,
    });
    expect(ended.outcome).toMatchObject({
      result: 'blocked',
      exitCode: 2,
      reason: 'needs_input',
      claim: 'needs_input',
    });
    expect((await at.host.prompts.list({ threadId: ended.threadId })).rows).toMatchObject([
      { state: 'cancelled' },
    ]);
    // The next piece of work is not held up by the question.
    expect((await at.done('[[text Next.]]', { thread: ended.threadId })).outcome?.summary).toBe('Next.');
  });

  test('that a person cancels does not hold the agent for ever', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const { dispatch, prompt } = await asking(at, { question: 'Which port?' });
    await at.host.prompts.cancel(prompt.id, { actor: owner });
    const ended = await at.ended(dispatch);
    expect(ended.state).toBe('ended');
    expect((await at.done('[[text Next.]]', { thread: dispatch.threadId })).outcome?.summary).toBe('Next.');
  });

  test('and that cannot be read fails the try as worker-failed, and says which; the file is kept aside', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const path = at.folder();
    const ended = await at.done(leaves(path, 'not json'), { workspace: { path }, retries: 0 });
    expect(ended.outcome).toMatchObject({
      result: 'failed',
      exitCode: 1,
      reason: 'worker-failed',
      retriable: true,
      summary: expect.stringContaining('JSON'),
    });
    expect(existsSync(join(path, '.agora', 'needs_input.invalid.json'))).toBe(true);
    expect((await at.host.prompts.list({ threadId: ended.threadId })).rows).toEqual([]);
  });

  test('badly and again after a fresh start breaks the circuit', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const path = at.folder();
    const ended = await at.done(leaves(path, 'not json'), { workspace: { path }, retries: 9 });
    expect(ended.outcome).toMatchObject({ result: 'blocked', exitCode: 2, reason: 'worker-failed' });
    expect(ended.attempts.length).toBeLessThan(5);
  });
});
