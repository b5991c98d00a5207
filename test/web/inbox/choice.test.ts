import { expect, it } from 'vitest';
import type { Question } from '../../../src/protocol/question.js';
import { answersOf, noChoice, toggled, worded } from '../../../src/web/inbox/choice.js';

const one: Question = { question: 'One?', multiSelect: false, options: [{ label: 'A' }, { label: 'B' }] };
const many: Question = { ...one, question: 'Many?', multiSelect: true };

it('a single choice replaces the one before, and words of one’s own replace both', () => {
  const chosen = toggled(one, toggled(one, noChoice, 'A'), 'B');
  expect(answersOf([one], [chosen])).toEqual([{ question: 'One?', answer: ['B'] }]);
  expect(answersOf([one], [worded(one, chosen, ' C ')])).toEqual([{ question: 'One?', answer: ['C'] }]);
  expect(answersOf([one], [toggled(one, worded(one, noChoice, 'C'), 'A')])).toEqual([
    { question: 'One?', answer: ['A'] },
  ]);
});

it('several choices are told in the order they were offered, with words of one’s own', () => {
  const chosen = ['B', 'A', 'B', 'B'].reduce((choice, label) => toggled(many, choice, label), noChoice);
  expect(answersOf([many], [worded(many, chosen, 'C')])).toEqual([
    { question: 'Many?', answer: ['A', 'B', 'C'] },
  ]);
});

it('nothing is sent while a question has no answer; a secret is sent as it is', () => {
  expect(answersOf([one, many], [toggled(one, noChoice, 'A'), noChoice])).toBeNull();
  const secret: Question = { question: 'Key?', multiSelect: false, isSecret: true, options: [] };
  expect(answersOf([secret], [worded(secret, noChoice, ' s ')])).toEqual([
    { question: 'Key?', answer: [' s '] },
  ]);
});
