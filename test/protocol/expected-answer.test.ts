import { describe, expect, it } from 'vitest';
import {
  answerParts,
  type ExpectedAnswer,
  expectationWords,
  unfitness,
} from '../../src/protocol/expected-answer.js';

const question = (expects: ExpectedAnswer, options: string[] = [], multiSelect = false) => ({
  expects,
  multiSelect,
  options: options.map((label) => ({ label })),
});

describe('an answer that a program reads', () => {
  const number = question({ type: 'number', minimum: 0.5 });
  const whole = question({ type: 'integer', minimum: 1, maximum: 9 });
  const choice = question({ type: 'choice' }, ['a', 'b']);
  const several = question({ type: 'choice', minItems: 1, maxItems: 2 }, ['a', 'b', 'c'], true);
  const optional = question({ type: 'integer', isOptional: true });
  const text = question({ type: 'text', minLength: 2, maxLength: 4 });
  const of = (format: 'email' | 'uri' | 'date' | 'date-time') => question({ type: 'text', format });
  it.each([
    [number, ['0.5']],
    [whole, [' 9 ']],
    [choice, ['a']],
    [several, ['c', 'a']],
    [optional, ['']],
    [optional, ['-']],
    [optional, ['-3']],
    [text, ['four']],
    [of('email'), ['a@b.example']],
    [of('uri'), ['https://a.example/b']],
    [of('date'), ['2026-02-28']],
    [of('date-time'), ['2026-02-28T12:00:00+01:00']],
    [{ multiSelect: false, options: [] }, ['anything at all']],
  ])('fits %j with %j', (asked, answer) => {
    expect(unfitness(asked, answer)).toBeNull();
  });
  it.each([
    [number, ['0'], 'takes a number of at least 0.5, and "0" is not one'],
    [whole, ['3.5'], 'takes a whole number from 1 to 9, and "3.5" is not one'],
    [whole, ['0x5e1'], 'takes a whole number from 1 to 9, and "0x5e1" is not one'],
    [whole, ['Infinity'], 'takes a whole number from 1 to 9, and "Infinity" is not one'],
    [whole, ['-'], 'has no answer'],
    [whole, [], 'has no answer'],
    [choice, ['c'], 'takes one of its options, and "c" is none of them'],
    [several, ['a', 'b', 'c'], 'takes 1 to 2 of its options, not 3'],
    [text, ['n'], 'takes 2 to 4 characters, not 1'],
    [of('email'), ['nobody'], 'takes an email address, and "nobody" is not one'],
    [of('uri'), ['here'], 'takes a URL, and "here" is not one'],
    [of('date'), ['2026-02-30'], 'takes a date like 2026-01-31, and "2026-02-30" is not one'],
    [of('date-time'), ['noon'], 'takes a date and time like 2026-01-31T12:00:00Z, and "noon" is not one'],
  ])('does not fit %j with %j', (asked, answer, why) => {
    expect(unfitness(asked, answer)).toBe(why);
  });
});

it.each([
  ['a, b', ['a', 'b']],
  ['b, c, a', ['b, c', 'a']],
  ['b, d', ['b, d']],
  ['', []],
])('the line %j is the labels %j', (line, parts) => {
  expect(answerParts(question({ type: 'choice' }, ['a', 'b', 'b, c'], true), line)).toEqual(parts);
});

it.each<[ExpectedAnswer, string]>([
  [{ type: 'choice' }, ''],
  [{ type: 'text' }, ''],
  [
    { type: 'integer', minimum: 1, isOptional: true },
    'A whole number of at least 1. Optional: answer - to leave it empty.',
  ],
  [{ type: 'text', format: 'email', maxLength: 40 }, 'An email address. At most 40 characters.'],
  [{ type: 'choice', minItems: 2, maxItems: 2 }, 'Choose exactly 2.'],
])('%j is said as %j', (expects, words) => {
  expect(expectationWords(expects)).toBe(words);
});
