import { describe, expect, test } from 'vitest';
import { pendingItem, resolvedItem } from '../../src/domain/prompt-item.js';
import { PromptId, ThreadId } from '../../src/protocol/id.js';
import { PendingPromptItem, ResolvedPromptItem } from '../../src/protocol/item.js';
import type { Prompt } from '../../src/protocol/prompt.js';

const id = PromptId.parse(`prm_${'0'.repeat(26)}`);
const deploy = {
  question: "What's the deployment target?",
  header: 'Target',
  multiSelect: false,
  options: [
    { label: 'staging', description: 'push to staging.example.com' },
    { label: 'production', description: 'push to www.example.com' },
  ],
};
const prompt: Prompt = {
  id,
  threadId: ThreadId.parse(`thr_${'0'.repeat(26)}`),
  kind: 'ask_user_question',
  state: 'pending',
  active: true,
  questions: [deploy],
  fingerprint: 'f',
  onUnanswered: 'wait',
  createdAt: '2026-01-01T00:00:00.000Z',
};

const textOf = (asked: Partial<Prompt>) => pendingItem({ ...prompt, ...asked }).content[0]?.text;

describe('a prompt that is asked', () => {
  test('becomes an item that integrators know', () => {
    const item = pendingItem(prompt);
    expect(item).toEqual({
      content: [
        {
          type: 'text',
          text: `❓ Provide input:
What's the deployment target?
  1. staging — push to staging.example.com
  2. production — push to www.example.com
Reply with a number, the option text, or free text.`,
        },
      ],
      metadata: {
        type: 'pending_prompt',
        prompt: { prompt_id: id, kind: 'ask_user_question', prompt_state: 'pending', questions: [deploy] },
      },
    });
    expect(PendingPromptItem.parse(item)).toEqual(item);
  });

  test('with several choices', () => {
    const questions = [{ question: 'Which?', multiSelect: true, options: [{ label: 'a' }, { label: 'b' }] }];
    expect(textOf({ questions })).toBe(`❓ Provide input:
Which?
  1. a
  2. b
Reply with numbers separated by commas, the option texts, or free text.`);
  });

  test('with free text', () => {
    const questions = [{ question: 'What name?', multiSelect: false, options: [] }];
    const text = `❓ Provide input:
What name?
Reply with your answer.`;
    expect(textOf({ kind: 'text', questions })).toBe(text);
    expect(textOf({ questions })).toBe(text);
  });

  test('with several questions', () => {
    const name = { question: 'What name?', multiSelect: false, options: [] };
    expect(textOf({ questions: [deploy, name] })).toBe(`❓ Provide input:
1) What's the deployment target?
  1. staging — push to staging.example.com
  2. production — push to www.example.com
2) What name?
Reply with one line per question: 1) … 2) …`);
  });

  test('for an approval shows the action, and the item carries it', () => {
    const action = { tool: 'Bash', input: { command: 'rm -r build\nls', timeout: 5 }, digest: 'd' };
    const questions = [
      {
        question: 'May the agent use Bash?',
        multiSelect: false,
        options: [{ label: 'Approve' }, { label: 'Deny' }],
      },
    ];
    const approval: Prompt = { ...prompt, kind: 'approval', questions, action };
    expect(textOf(approval)).toBe(`❓ Provide input:
May the agent use Bash?
Bash
  command: rm -r build
    ls
  timeout: 5
Reply approve or deny.`);
    expect(pendingItem(approval).metadata.prompt).toEqual({
      prompt_id: id,
      kind: 'approval',
      prompt_state: 'pending',
      questions,
      action,
    });
  });

  test('shows only the beginning of a long input, and says so', () => {
    const action = { tool: 'Write', input: { content: 'x'.repeat(5000) }, digest: 'd' };
    expect(textOf({ kind: 'approval', action })).toContain(
      `  content: ${'x'.repeat(4000)}… (1000 more characters)\n`,
    );
  });

  test('has its deadline with it', () => {
    const deadline = '2026-01-01T01:00:00.000Z';
    expect(pendingItem({ ...prompt, deadline }).metadata.prompt['deadline']).toBe(deadline);
  });
});

describe('a prompt that is settled', () => {
  const answers = [{ question: deploy.question, answer: ['staging'] }];
  const answered: Prompt = { ...prompt, state: 'answered', answers, actor: 'user:owner' };
  const auditOf = (settled: Partial<Prompt>) => resolvedItem({ ...answered, ...settled }).content[0]?.text;

  test('becomes an item that integrators know', () => {
    const item = resolvedItem(answered);
    expect(item).toEqual({
      content: [{ type: 'text', text: '✓ Answered: staging' }],
      metadata: {
        type: 'pending_prompt_resolved',
        prompt: {
          prompt_id: id,
          kind: 'ask_user_question',
          prompt_state: 'answered',
          answers,
          reason: null,
          actor: 'user:owner',
        },
      },
    });
    expect(ResolvedPromptItem.parse(item)).toEqual(item);
  });

  test('tells all answers', () => {
    const several = [
      { question: 'a', answer: ['1', '2'] },
      { question: 'b', answer: ['3'] },
    ];
    expect(auditOf({ answers: several })).toBe('✓ Answered: 1, 2; 3');
  });

  test.each([
    ['cancelled', 'deadline', '✗ Cancelled: deadline'],
    ['failed', 'The runner is gone.', '✗ Failed: The runner is gone.'],
  ] as const)('%s tells its reason', (state, reason, text) => {
    const { answers: _none, actor: _nobody, ...open } = answered;
    const item = resolvedItem({ ...open, state, reason });
    expect(item).toEqual({
      content: [{ type: 'text', text }],
      metadata: {
        type: 'pending_prompt_resolved',
        prompt: { prompt_id: id, kind: 'ask_user_question', prompt_state: state, answers: [], reason },
      },
    });
  });

  test('without a reason says only what happened', () => {
    expect(auditOf({ state: 'cancelled' })).toBe('✗ Cancelled');
  });

  test('keeps a secret', () => {
    const questions = [{ ...deploy, isSecret: true }];
    const item = resolvedItem({
      ...answered,
      questions,
      answers: [{ question: deploy.question, answer: ['hunter2'] }],
    });
    expect(item.content).toEqual([{ type: 'text', text: '✓ Answered: ••••••' }]);
    expect(item.metadata.prompt.answers).toEqual([{ question: deploy.question, answer: ['••••••'] }]);
  });

  test.each([
    [{ approved: true }, '✓ Answered: Approve'],
    [{ approved: true, scope: 'thread' }, '✓ Answered: Approve, for this thread from now on'],
    [{ approved: true, updatedInput: { command: 'ls' } }, '✓ Answered: Approve, with edited input'],
    [{ approved: false, message: 'not now' }, '✓ Answered: Deny (not now)'],
  ] as const)('tells the decision %j as what it was', (decision, text) => {
    const given = [{ question: 'May it?', answer: [decision.approved ? 'Approve' : 'Deny'] }];
    const item = resolvedItem({ ...answered, kind: 'approval', answers: given }, decision);
    expect(item.content).toEqual([{ type: 'text', text }]);
  });

  test('cannot be one that is open', () => {
    expect(() => resolvedItem(prompt)).toThrow(RangeError);
  });
});
