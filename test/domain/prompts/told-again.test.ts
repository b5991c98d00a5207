import { expect, test } from 'vitest';
import type { ThreadPrompt } from '../../../src/domain/prompts/thread-prompt.js';
import { isTellable, isToldToNewSession } from '../../../src/domain/prompts/told-again.js';

type Answered = Pick<ThreadPrompt, 'kind' | 'questions' | 'answers' | 'actor' | 'consumedAt'>;
type Question = ThreadPrompt['questions'][number];

const question: Question = { question: 'Which?', multiSelect: false, options: [] };
const answered: Answered = {
  kind: 'ask_user_question',
  questions: [question],
  answers: [{ question: 'Which?', answer: ['Left'] }],
  actor: 'user:owner',
  consumedAt: '2026-01-01T00:00:00.000Z',
};
const decided = (answer: 'Approve' | 'Deny', actor: ThreadPrompt['actor'] = 'user:owner'): Answered => ({
  ...answered,
  kind: 'approval',
  answers: [{ question: 'May it?', answer: [answer] }],
  actor,
});
const { consumedAt: _never, ...unused } = answered;

test.each<[string, Answered, boolean, boolean]>([
  ["a person's answer", answered, true, true],
  ['an answer that a deadline gave', { ...answered, actor: 'policy:deadline' }, true, true],
  ['an answer in words', { ...answered, kind: 'text' }, true, true],
  ['an answer that nobody has used, and that is on its way', unused, true, false],
  ['a consent, whose action may be done', decided('Approve'), false, false],
  ["a person's refusal", decided('Deny'), true, true],
  ['a refusal of a policy, which refuses again', decided('Deny', 'policy:autonomous'), true, false],
  ['a secret', { ...answered, questions: [{ ...question, isSecret: true }] }, false, false],
  [
    'an answer to the worker itself',
    { ...answered, questions: [{ ...question, byWorker: true }] },
    true,
    false,
  ],
])('%s', (_, prompt, tellable, toldToNewSession) => {
  expect({ tellable: isTellable(prompt), toldToNewSession: isToldToNewSession(prompt) }).toEqual({
    tellable,
    toldToNewSession,
  });
});
