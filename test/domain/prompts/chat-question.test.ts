import { describe, expect, test } from 'vitest';
import { chatAnswer, chatQuestion } from '../../../src/domain/prompts/chat-question.js';
import type { Prompt } from '../../../src/protocol/prompt.js';
import type { Question } from '../../../src/protocol/question.js';

type Asked = Pick<Prompt, 'kind' | 'questions' | 'action'>;

const asker = { runtime: 'claude', workspace: { path: '/work' } } as const;
const question = (given: Partial<Question> = {}): Question => ({
  question: 'Where to?',
  multiSelect: false,
  options: [{ label: 'staging', description: 'first' }, { label: 'production' }],
  ...given,
});
const asks = (...questions: Question[]): Asked => ({ kind: 'ask_user_question', questions });
const approval = (command: string): Asked => ({
  kind: 'approval',
  questions: [question({ question: 'Allow Bash?', options: [] })],
  action: { tool: 'Bash', input: { command }, digest: 'd' },
});
const choicesOf = (asked: Asked, longest = 500) =>
  chatQuestion(asked, asker, longest).choices.map(({ choice }) => choice);

describe('a question in a chat', () => {
  test.each<[string, Asked, readonly string[], boolean]>([
    ['with options has a button for each', asks(question()), ['option0', 'option1'], true],
    ['with several choices at once is typed', asks(question({ multiSelect: true })), [], true],
    ['of several is typed', asks(question(), question({ question: 'When?' })), [], true],
    [
      'with many options is typed',
      asks(question({ options: Array.from({ length: 11 }, (_, index) => ({ label: `${index}` })) })),
      [],
      true,
    ],
    ['for a secret is opened', asks(question({ isSecret: true, options: [] })), [], false],
    ['for an approval that is shown whole', approval('ls -l'), ['approve', 'deny'], true],
    ['for an approval that is long', approval('x'.repeat(501)), ['deny'], true],
    ['for an approval with text that turns around', approval('rm \u202Egpj.txt'), ['deny'], true],
    ['for an approval with a character of no width', approval('ls \u200B/'), ['deny'], true],
    ['for an approval without an action', { kind: 'approval', questions: [question()] }, ['deny'], true],
  ])('%s', (_, asked, choices, takesText) => {
    expect(choicesOf(asked)).toEqual(choices);
    expect(chatQuestion(asked, asker, 500).takesText).toBe(takesText);
  });

  test('says all of it, and nothing that is hidden', () => {
    expect(chatQuestion(asks(question()), asker, 500).text).toBe(
      'Claude asks: Where to?\n  1. staging — first\n  2. production',
    );
    expect(chatQuestion(approval('make deploy'), asker, 500).text).toContain('make deploy');
    expect(chatQuestion(approval('rm \u202Egpj.txt'), asker, 500).text).toMatch(
      /It contains characters that show nothing\. Open it to see and approve it\.$/,
    );
    expect(chatQuestion(asks(question({ question: 'x'.repeat(900) })), asker, 500).text.length).toBe(500);
  });
});

describe('an answer in a chat', () => {
  const said = (asked: Asked, given: Parameters<typeof chatAnswer>[2]) =>
    chatAnswer(asked, chatQuestion(asked, asker, 500), given);

  test('is what was pressed', () => {
    expect(said(asks(question()), { choice: 'option1' })).toEqual({
      ok: true,
      answer: { answers: [{ question: 'Where to?', answer: ['production'] }] },
    });
    expect(said(approval('ls'), { choice: 'approve' })).toEqual({
      ok: true,
      answer: { decision: { approved: true } },
    });
    expect(said(approval('x'.repeat(501)), { choice: 'deny' })).toEqual({
      ok: true,
      answer: { decision: { approved: false } },
    });
  });

  test.each<[string, Asked, Parameters<typeof chatAnswer>[2]]>([
    ['an option that was not offered', asks(question()), { choice: 'option7' }],
    ['a decision about a question', asks(question()), { choice: 'approve' }],
    ['an approval of what is not shown', approval('x'.repeat(501)), { choice: 'approve' }],
    ['a typed approval of what is not shown', approval('x'.repeat(501)), { text: 'yes' }],
    ['words that decide nothing', approval('ls'), { text: 'maybe later' }],
    ['a secret', asks(question({ isSecret: true })), { text: 'hunter2' }],
    ['nothing', asks(question()), { text: '  ' }],
  ])('is not %s', (_, asked, given) => {
    expect(said(asked, given).ok).toBe(false);
  });

  test('may be typed', () => {
    expect(said(asks(question()), { text: 'somewhere else' })).toEqual({
      ok: true,
      answer: { text: 'somewhere else' },
    });
    expect(said(approval('x'.repeat(501)), { text: 'no' })).toMatchObject({ ok: true });
  });
});
