import { expect, test } from 'vitest';
import { answersFromText } from '../../../src/domain/prompts/answer.js';
import { typedAnswer, typedDecision } from '../../../src/domain/prompts/typed-answer.js';

const question = (labels: readonly string[], more: object = {}) => ({
  question: 'Which?',
  multiSelect: false,
  options: labels.map((label) => ({ label })),
  ...more,
});
const asking = (...questions: ReturnType<typeof question>[]) => ({
  kind: 'ask_user_question' as const,
  questions,
});
const approval = { kind: 'approval' as const, questions: [question(['Approve', 'Deny'])] };

test.each([
  ['yes', 'approve'],
  ['Yes, please.', 'approve'],
  ['ok', 'approve'],
  ['OK!', 'approve'],
  ['approve', 'approve'],
  ['no', 'deny'],
  ['no, please', 'deny'],
  ['reject', 'deny'],
  ['okay', null],
  ['1', null],
  ['2', null],
  ['yes but not there', null],
  ['not yes', null],
  ['maybe', null],
  ['please', null],
  ['', null],
])('%j decides %j', (text, decision) => expect(typedDecision(text)).toBe(decision));

test.each<[string, Parameters<typeof typedAnswer>[0], string, object]>([
  ['words that approve', approval, 'yes please', { answer: { decision: { approved: true } } }],
  ['words that deny', approval, 'no', { answer: { decision: { approved: false } } }],
  ['other words', approval, 'go ahead', { why: 'This is an approval: the answer is approve or deny.' }],
  ['a number', approval, '1', { why: 'This is an approval: the answer is approve or deny.' }],
  ['an option', asking(question(['A', 'B'])), '2', { answer: { text: '2' } }],
  [
    'an option that is not there',
    asking(question(['A', 'B'])),
    '7',
    { why: 'The question has 2 options; 7 is not one of them.' },
  ],
  ['none', asking(question(['A', 'B'])), '0', { why: 'The question has 2 options; 0 is not one of them.' }],
  [
    'one of several that is not there',
    asking(question(['A', 'B'], { multiSelect: true })),
    '1, 3',
    { why: 'The question has 2 options; 3 is not one of them.' },
  ],
  ['several for one', asking(question(['A', 'B'])), '1,2', { why: 'The question takes one option, not 2.' }],
  [
    'several where several may be',
    asking(question(['A', 'B'], { multiSelect: true })),
    '1,2',
    { answer: { text: '1,2' } },
  ],
  [
    'a label that is a list of numbers',
    asking(question(['1, 2', '3'])),
    '1, 2',
    { answer: { text: '1, 2' } },
  ],
  ['a label that is a number', asking(question(['8080', '9090'])), '8080', { answer: { text: '8080' } }],
  [
    'a number where text is asked',
    { kind: 'text', questions: [question([])] },
    '7',
    { answer: { text: '7' } },
  ],
  ['words', asking(question(['A', 'B'])), 'neither', { answer: { text: 'neither' } }],
  ['nothing', asking(question(['A', 'B'])), ' ', { why: 'The answer is empty.' }],
  [
    'several on one line',
    asking(question(['A', 'B']), question(['C'])),
    '1) 2 2) C',
    { answer: { text: '1) 2 2) C' } },
  ],
  [
    'several, one out of range',
    asking(question(['A', 'B']), question(['C'])),
    '1) 2\n2) 2',
    { why: 'Question 2 has 1 option; 2 is not one of them.' },
  ],
  [
    'one for several',
    asking(question(['A']), question(['C'])),
    'A',
    { why: 'There are 2 questions: give one answer for each, as 1) … 2) …' },
  ],
])('%s', (_name, prompt, text, expected) => {
  const ok = 'answer' in expected;
  expect(typedAnswer(prompt, text)).toEqual({ ok, ...expected });
});

test('answers to several questions may stand on one line', () => {
  const prompt = asking(question(['A', 'B']), question(['C', 'D']));
  expect(answersFromText(prompt, '1) 2 2) c').map(({ answer }) => answer)).toEqual([['B'], ['C']]);
  expect(answersFromText(prompt, 'see 2) below').map(({ answer }) => answer)).toEqual([
    ['see 2) below'],
    ['see 2) below'],
  ]);
});
