import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Answer, Prompt } from '../../../src/protocol/prompt.js';
import { type HostStage, openHostStage, owner, refusal } from '../host-stage.js';

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const writes = (name: string) => `[[tool Bash {"command":"echo made > ${name}"}]] [[next]] [[text Done.]]`;

const choice = (question: string, multiSelect: boolean) => ({
  question,
  header: 'H',
  multiSelect,
  options: ['A', 'B', 'C'].map((label) => ({ label, description: label })),
});

/** Has an agent ask, answers, and gives what became of both. */
async function answered(at: HostStage, text: string, answer: Answer) {
  const path = at.folder();
  const dispatch = await at.work(text, { workspace: { path } });
  const prompt = await at.asked(dispatch.threadId);
  const accepted = await at.host.prompts.answer(prompt.id, answer, owner);
  const ended = await at.ended(dispatch);
  const settled = await at.prompt(prompt, ({ consumedAt }) => consumedAt !== undefined);
  return { path, prompt, accepted, ended, settled, threadId: dispatch.threadId };
}

describe('a question', () => {
  test('is asked, answered, delivered and used, with a receipt for each', async () => {
    const at = await openHostStage();
    const text = '[[ask Which target? | staging | production]] [[next]] [[text Thanks.]]';
    const { prompt, accepted, ended, settled, threadId } = await answered(at, text, { text: '2' });
    expect(prompt).toEqual({
      id: expect.stringMatching(/^prm_/),
      threadId,
      kind: 'ask_user_question',
      state: 'pending',
      active: true,
      questions: [
        {
          question: 'Which target?',
          header: expect.any(String),
          multiSelect: false,
          options: [
            { label: 'staging', description: 'staging' },
            { label: 'production', description: 'production' },
          ],
        },
      ],
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      onUnanswered: 'wait',
      createdAt: instant,
    });
    const answers = [{ question: 'Which target?', answer: ['production'] }];
    expect(accepted).toMatchObject({
      id: prompt.id,
      active: false,
      answers,
      actor: owner,
      acceptedAt: instant,
    });
    expect(settled).toEqual({
      ...prompt,
      state: 'answered',
      active: false,
      answers,
      actor: owner,
      acceptedAt: instant,
      deliveredAt: instant,
      consumedAt: instant,
    });
    const { acceptedAt = '', deliveredAt = '', consumedAt = '' } = settled;
    expect([prompt.createdAt, acceptedAt, deliveredAt, consumedAt].toSorted()).toEqual([
      prompt.createdAt,
      acceptedAt,
      deliveredAt,
      consumedAt,
    ]);
    expect(ended.outcome).toMatchObject({ result: 'succeeded', summary: 'Thanks.' });
    expect(at.toolResults()).toEqual([expect.stringContaining('"Which target?"="production"')]);

    const { items } = await at.host.threads.items(threadId, {});
    expect(
      items.flatMap((item) =>
        item.type === 'prompt' || item.type === 'prompt_audit'
          ? [{ content: item.content, metadata: item.metadata }]
          : [],
      ),
    ).toEqual([
      {
        content: [
          {
            type: 'text',
            text: [
              '❓ Provide input:',
              'Which target?',
              '  1. staging — staging',
              '  2. production — production',
              'Reply with a number, the option text, or free text.',
            ].join('\n'),
          },
        ],
        metadata: {
          type: 'pending_prompt',
          prompt: {
            prompt_id: prompt.id,
            kind: 'ask_user_question',
            prompt_state: 'pending',
            questions: prompt.questions,
          },
        },
      },
      {
        content: [{ type: 'text', text: '✓ Answered: production' }],
        metadata: {
          type: 'pending_prompt_resolved',
          prompt: {
            prompt_id: prompt.id,
            kind: 'ask_user_question',
            prompt_state: 'answered',
            answers,
            reason: null,
            actor: owner,
          },
        },
      },
    ]);
  });

  test('takes a label in any case, free text, and structured answers', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const question = 'Which?';
    const cases: readonly [Answer, string][] = [
      [{ text: 'ALPHA' }, 'Alpha'],
      [{ text: '7' }, '7'],
      [{ text: 'neither of them' }, 'neither of them'],
      [{ answers: [{ question, answer: ['Beta'] }] }, 'Beta'],
    ];
    const { threadId } = await at.done('[[text Warm.]]');
    for (const [answer, expected] of cases) {
      const dispatch = await at.work('[[ask Which? | Alpha | Beta]] [[next]] [[text Done.]]', {
        thread: threadId,
      });
      const prompt = await at.asked(threadId);
      const accepted = await at.host.prompts.answer(prompt.id, answer, owner);
      expect(accepted.answers).toEqual([{ question, answer: [expected] }]);
      expect((await at.ended(dispatch)).outcome?.result).toBe('succeeded');
      expect(at.toolResults().at(-1)).toContain(`"Which?"="${expected}"`);
    }
  });

  test('with several parts takes a line for each', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const input = JSON.stringify({ questions: [choice('One?', false), choice('Many?', true)] });
    const { settled } = await answered(at, `[[tool AskUserQuestion ${input}]] [[next]] [[text Done.]]`, {
      text: '1) b\n2) 1, 3',
    });
    expect(settled.answers).toEqual([
      { question: 'One?', answer: ['B'] },
      { question: 'Many?', answer: ['A', 'C'] },
    ]);
    expect(at.toolResults()[0]).toContain('"Many?"="A, C"');
  });

  test('refuses a malformed structured answer and stays open', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work('[[ask Which? | A | B]] [[next]] [[text Done.]]');
    const prompt = await at.asked(dispatch.threadId);
    const question = 'Which?';
    const malformed: Answer[] = [
      { answers: [{ question: 'What?', answer: ['A'] }] },
      { answers: [{ question, answer: ['A', 'B'] }] },
      {
        answers: [
          { question, answer: ['A'] },
          { question: 'More?', answer: ['B'] },
        ],
      },
      { decision: { approved: true } },
    ];
    for (const answer of malformed) {
      expect(await refusal(at.host.prompts.answer(prompt.id, answer, owner))).toMatchObject({
        code: 'invalid',
      });
      expect(await at.prompt(prompt)).toEqual(prompt);
    }
    await at.host.prompts.answer(prompt.id, { answers: [{ question, answer: ['A'] }] }, owner);
    expect((await at.ended(dispatch)).outcome?.result).toBe('succeeded');
  });

  test('that several people answer at once takes exactly one of them, and tells the others', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work('[[ask Which? | A | B | C | D]] [[next]] [[text Done.]]');
    const prompt = await at.asked(dispatch.threadId);
    const tries = await Promise.allSettled(
      ['1', '2', '3', '4', '1', '2'].map(
        async (text, index) => await at.host.prompts.answer(prompt.id, { text }, `user:person-${index}`),
      ),
    );
    const accepted = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(accepted.length).toBe(1);
    const refused = tries.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    const { answers, actor } = accepted[0] ?? {};
    for (const error of refused) {
      expect(error).toMatchObject({ code: 'prompt_settled', prompt: { id: prompt.id, answers, actor } });
    }
    await at.ended(dispatch);
    expect(await at.prompt(prompt)).toMatchObject({ state: 'answered', answers, actor });
    expect(at.toolResults().length).toBe(1);
    // Long after, it is still the same answer.
    const late: unknown = await at.host.prompts
      .answer(prompt.id, { text: '1' }, owner)
      .catch((error: unknown) => error);
    expect(late).toMatchObject({ code: 'prompt_settled', prompt: await at.prompt(prompt) });
  });

  test('that a person cancels tells the agent that nobody answered', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work('[[ask Which? | A | B]] [[next]] [[text I went on.]]');
    const prompt = await at.asked(dispatch.threadId);
    const cancelled = await at.host.prompts.cancel(prompt.id, { reason: 'not now', actor: owner });
    expect(cancelled).toMatchObject({ state: 'cancelled', active: false, reason: 'not now', actor: owner });
    expect(cancelled).not.toHaveProperty('answers');
    const ended = await at.ended(dispatch);
    expect(ended.state).toBe('ended');
    expect(at.toolResults()).toEqual([expect.stringMatching(/nobody answered/i)]);
    expect(await at.events(dispatch.threadId, 'prompt_settled')).toMatchObject([
      { item: { content: [{ type: 'text', text: '✗ Cancelled: not now' }] } },
    ]);
    expect(await refusal(at.host.prompts.cancel(prompt.id, { actor: owner }))).toMatchObject({
      code: 'prompt_settled',
    });
  });
});

describe('an approval', () => {
  test('that is given runs exactly what was shown', async () => {
    const at = await openHostStage();
    const { path, prompt, ended, settled } = await answered(at, writes('x'), { text: ' YES ' });
    expect(prompt).toMatchObject({
      kind: 'approval',
      questions: [{ multiSelect: false, options: [{ label: 'Approve' }, { label: 'Deny' }] }],
      action: {
        tool: 'Bash',
        input: { command: 'echo made > x' },
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    expect(settled.answers).toMatchObject([{ answer: ['Approve'] }]);
    expect(readFileSync(join(path, 'x'), 'utf8')).toBe('made\n');
    expect(ended.outcome?.result).toBe('succeeded');
  });

  test('that is denied, by a word or by anything that is no word for yes, runs nothing and is not success', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    for (const text of ['deny', 'perhaps']) {
      const { path, ended, settled } = await answered(at, writes('x'), { text });
      expect(settled.answers).toMatchObject([{ answer: ['Deny'] }]);
      expect(existsSync(join(path, 'x'))).toBe(false);
      expect(ended.outcome).toMatchObject({
        result: 'blocked',
        exitCode: 2,
        reason: 'denied',
        claim: 'failure',
      });
    }
  });

  test('that is denied with words brings them to the agent', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const message = 'Use the other folder.';
    const { threadId } = await answered(at, writes('x'), { decision: { approved: false, message } });
    expect(at.toolResults()).toEqual([expect.stringContaining(message)]);
    expect(await at.events(threadId, 'prompt_settled')).toMatchObject([
      { item: { content: [{ text: `✓ Answered: Deny (${message})` }] } },
    ]);
  });

  test('that is given with edited input runs the edited one, and the record has all three', async () => {
    const at = await openHostStage();
    const updatedInput = { command: 'echo edited > y' };
    const decision = { approved: true, updatedInput };
    const { path, threadId } = await answered(at, writes('x'), { decision });
    expect(existsSync(join(path, 'x'))).toBe(false);
    expect(readFileSync(join(path, 'y'), 'utf8')).toBe('edited\n');
    expect(await at.events(threadId, 'prompt_settled')).toMatchObject([
      {
        item: {
          content: [{ text: '✓ Answered: Approve, with changes: echo edited > y (proposed: echo made > x)' }],
          metadata: { prompt: { decision } },
        },
      },
    ]);
    // What was proposed, what was approved, and what ran.
    const proposed = { command: 'echo made > x' };
    expect((await at.host.prompts.list({ threadId })).rows).toMatchObject([
      { action: { input: proposed }, decision },
    ]);
    const [ended] = await at.events(threadId, 'tool_end');
    expect(ended?.['ranWith']).toEqual(updatedInput);
    const { items } = await at.host.threads.items(threadId, {});
    expect(items.filter(({ type }) => type === 'tool_call')).toMatchObject([
      { params: proposed, ranWith: updatedInput, result: { success: true } },
    ]);
  });

  test('that is given for the thread is not asked again for the same', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const { threadId } = await answered(at, writes('x'), { decision: { approved: true, scope: 'thread' } });
    const again = await at.done(writes('x'), { thread: threadId });
    expect(again.outcome?.result).toBe('succeeded');
    expect((await at.host.prompts.list({ threadId })).rows.map(({ actor }) => actor)).toEqual([
      owner,
      'policy:grant',
    ]);
    // Another command is another action.
    const other = await at.work(writes('z'), { thread: threadId });
    const prompt = await at.asked(threadId);
    expect(prompt.action?.input).toMatchObject({ command: 'echo made > z' });
    await at.host.prompts.answer(prompt.id, { text: 'yes' }, owner);
    await at.ended(other);
    expect(await at.events(threadId, 'prompt_settled')).toMatchObject([
      {
        item: { content: [{ text: '✓ Answered: Approve, exactly this action for this thread from now on' }] },
      },
      { item: { content: [{ text: '✓ Answered: Approve' }] } },
      { item: { content: [{ text: '✓ Answered: Approve' }] } },
    ]);
  });

  test('takes neither yes nor no as a structured answer but the words that it shows', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const dispatch = await at.work(writes('x'));
    const prompt = await at.asked(dispatch.threadId);
    const [{ question } = { question: '?' }] = prompt.questions;
    const answer = { answers: [{ question, answer: ['yes'] }] };
    expect(await refusal(at.host.prompts.answer(prompt.id, answer, owner))).toMatchObject({
      code: 'invalid',
    });
    expect(await at.prompt(prompt)).toEqual(prompt);
  });

  test('is not asked for where the thread is autonomous, but questions are', { tags: ['full'] }, async () => {
    const at = await openHostStage();
    const path = at.folder();
    const dispatch = await at.work(
      `[[tool Bash {"command":"echo made > x"}]] [[next]] [[ask Which? | A | B]] [[next]] [[text Done.]]`,
      { permissions: 'autonomous', workspace: { path } },
    );
    const prompt = await at.asked(dispatch.threadId);
    expect(prompt.kind).toBe('ask_user_question');
    await at.host.prompts.answer(prompt.id, { text: '1' }, owner);
    expect((await at.ended(dispatch)).outcome?.result).toBe('succeeded');
    expect((await at.host.prompts.list({ threadId: dispatch.threadId })).rows.length).toBe(1);
    expect(existsSync(join(path, 'x'))).toBe(true);
  });
});

describe('equal prompts of several threads', () => {
  test('are answered together, one audit item each, and others are left alone', {
    tags: ['full'],
  }, async () => {
    const at = await openHostStage();
    const text = '[[ask Which? | A | B]] [[next]] [[text Done.]]';
    const equal = await Promise.all([at.work(text), at.work(text), at.work(text)]);
    const other = await at.work('[[ask What? | A | B]] [[next]] [[text Done.]]');
    const prompts: Prompt[] = [];
    for (const { threadId } of equal) prompts.push(await at.asked(threadId));
    const different = await at.asked(other.threadId);
    const [like] = prompts;
    if (!like) throw new Error('unreachable');

    expect(
      await refusal(at.host.prompts.answerLike(like.id, { decision: { approved: true } }, owner)),
    ).toMatchObject({
      code: 'invalid',
    });
    const all = await at.host.prompts.answerLike(like.id, { text: 'b' }, owner);
    expect(all.count).toBe(prompts.length);
    expect(new Set(all.prompts.map(({ id }) => id))).toEqual(new Set(prompts.map(({ id }) => id)));
    for (const dispatch of equal) {
      expect((await at.ended(dispatch)).outcome?.result).toBe('succeeded');
      expect(await at.events(dispatch.threadId, 'prompt_settled')).toMatchObject([
        { item: { content: [{ text: '✓ Answered: B' }], metadata: { prompt: { actor: owner } } } },
      ]);
    }
    expect(await at.prompt(different)).toEqual(different);
  });
});
