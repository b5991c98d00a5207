import { expect, it } from 'vitest';
import { toUnanswered } from '../../src/cli/unanswered-option.js';

it('reads one rule per kind', () => {
  expect(toUnanswered('ask_user_question=default_option:1.5', toUnanswered('approval=deny:3600'))).toEqual({
    approval: { policy: 'deny', afterSeconds: 3600 },
    ask_user_question: { policy: 'default_option', afterSeconds: 1.5 },
  });
});

it.each([
  ['approval', 'KIND=POLICY:SECONDS'],
  ['approvals=deny:5', 'KIND is one of text, approval, ask_user_question.'],
  ['approval=approve:5', 'POLICY for approval is one of deny, fail.'],
  ['approval=default_option:5', 'POLICY for approval is one of deny, fail.'],
  ['approval=deny:0', 'SECONDS must be greater than 0.'],
])('refuses %s', (text, words) => {
  expect(() => toUnanswered(text)).toThrow(words);
});

it('takes no second rule for a kind', () => {
  expect(() => toUnanswered('text=fail:5', toUnanswered('text=deny:5'))).toThrow(
    'You already gave a rule for text.',
  );
});
