import { describe, expect, test } from 'vitest';
import { pendingItem, resolvedItem } from '../../../src/domain/prompts/prompt-item.js';
import { PromptId, ThreadId } from '../../../src/protocol/id.js';
import { PendingPromptItem, ResolvedPromptItem } from '../../../src/protocol/item.js';
import type { Prompt } from '../../../src/protocol/prompt.js';

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
      `  content: ${'x'.repeat(4000)}… (1000 more characters)
! Not all of it stands here: 1000 characters of content. See all of it with: handraise show ${id}
Reply approve or deny.`,
    );
  });

  test('names the fields of which something is left out, and not hundreds of them', () => {
    const input = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`f${n}`, 'x'.repeat(4001 + n)]));
    expect(
      textOf({ kind: 'approval', action: { tool: 'T', input, digest: 'd', reason: 'y'.repeat(5000) } }),
    ).toContain(
      '1 character of f0, 2 characters of f1, 3 characters of f2, 4 characters of f3, 5 characters of f4, parts of 4 other fields.',
    );
  });

  test('marks and names what shows nothing, also in the part that is left out', () => {
    const input = {
      command: 'rm \u202Ex\u200B',
      content: `${'x'.repeat(4000)}\u200B`,
      ['na\u2066me']: ['\u00AD'],
    };
    const action = { tool: 'Ba\u200Bsh', input, digest: 'd' };
    const text = textOf({ kind: 'approval', action });
    expect(text).toContain(`
Ba⟨U+200B⟩sh
  command: rm ⟨U+202E⟩x⟨U+200B⟩
  content: ${'x'.repeat(4000)}… (1 more characters)
  na⟨U+2066⟩me: ["⟨U+00AD⟩"]
! It contains 6 hidden characters: U+00AD ×1, U+2066 ×1, U+202E ×1, U+200B ×3
! Not all of it stands here: 1 character of content.`);
    expect(text).not.toMatch(/[\u00AD\u200B\u202E\u2066]/);
  });

  test('marks what shows nothing in a question and its options', () => {
    const questions = [
      {
        question: 'Whi\u202Ech?',
        multiSelect: false,
        options: [{ label: 'a\u200B', description: '\u2066b' }],
      },
    ];
    expect(textOf({ questions })).toBe(`❓ Provide input:
Whi⟨U+202E⟩ch?
  1. a⟨U+200B⟩ — ⟨U+2066⟩b
! It contains 3 hidden characters: U+2066 ×1, U+200B ×1, U+202E ×1
Reply with a number, the option text, or free text.`);
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
    [
      { approved: true, scope: 'thread' },
      '✓ Answered: Approve, exactly this action for this thread from now on',
    ],
    [
      { approved: true, updatedInput: { command: 'npm test -- --bail' } },
      '✓ Answered: Approve, with changes: npm test -- --bail (proposed: npm test)',
    ],
    [{ approved: true, updatedInput: { command: 'npm test' } }, '✓ Answered: Approve'],
    [{ approved: false, message: 'not now' }, '✓ Answered: Deny (not now)'],
  ] as const)('tells the decision %j as what it was', (decision, text) => {
    const given = [{ question: 'May it?', answer: [decision.approved ? 'Approve' : 'Deny'] }];
    const action = { tool: 'Bash', input: { command: 'npm test' }, digest: 'd' };
    const item = resolvedItem({ ...answered, kind: 'approval', action, answers: given }, decision);
    expect(item.content).toEqual([{ type: 'text', text }]);
    expect(item.metadata.prompt.decision).toEqual(decision);
    expect(ResolvedPromptItem.parse(item)).toEqual(item);
  });

  test('cannot be one that is open', () => {
    expect(() => resolvedItem(prompt)).toThrow(RangeError);
  });
});

test('an answer that was a secret is shown as one, although nobody kept it', () => {
  const questions = [{ ...deploy, isSecret: true, options: [] }];
  const item = resolvedItem({ ...prompt, questions, state: 'answered', actor: 'user:owner' });
  expect(item.content[0]?.text).toMatch(/^✓ Answered: \S+$/);
});
