import { describe, expect, test } from 'vitest';
import { afterSilence, patienceFor, type Silence } from '../../../src/domain/prompts/unanswered.js';
import type { Prompt } from '../../../src/protocol/prompt.js';
import { at, prompt } from '../samples.js';

const choice = { question: 'Which?', multiSelect: false, options: [{ label: 'a' }, { label: 'b' }] };
const free = { question: 'Why?', multiSelect: false, options: [] };

describe('what becomes of a prompt that nobody answered', () => {
  test.each<[string, Partial<Prompt>, Silence]>([
    ['it waits', { onUnanswered: 'wait' }, { do: 'wait' }],
    ['it is denied', { onUnanswered: 'deny' }, { do: 'cancel' }],
    ['it fails the work', { onUnanswered: 'fail' }, { do: 'fail' }],
    [
      'it takes the first option',
      { kind: 'ask_user_question', onUnanswered: 'default_option', questions: [choice] },
      { do: 'answer', answers: [{ question: 'Which?', answer: ['a'] }] },
    ],
    [
      'a question without options has no default, and so has none of them',
      { kind: 'ask_user_question', onUnanswered: 'default_option', questions: [choice, free] },
      { do: 'cancel' },
    ],
    [
      'silence is never consent',
      { kind: 'approval', onUnanswered: 'default_option', questions: [choice] },
      { do: 'cancel' },
    ],
  ])('%s', (_, fields, silence) => {
    expect(afterSilence(prompt(fields))).toEqual(silence);
  });
});

test('patience begins when it is asked, by the rule of its kind', () => {
  const rules = { approval: { afterSeconds: 90, policy: 'deny' } } as const;
  expect(patienceFor('approval', { rules, askedAt: at(0) })).toEqual({
    deadline: at(90),
    onUnanswered: 'deny',
  });
  expect(patienceFor('text', { rules, askedAt: at(0) })).toEqual({ onUnanswered: 'wait' });
});
