import { expect, it } from 'vitest';
import { escalationQuestion, isEscalated } from '../../../src/domain/dispatch/escalation.js';
import { endingOfExit, outcomeOf } from '../../../src/domain/dispatch/outcome.js';

const crash = outcomeOf(endingOfExit({ exitCode: 3, signal: null, oom: false }, 'It died.\u202e'));
const blocked = { ...crash, result: 'blocked', exitCode: 2 } as const;
const done = { ...crash, result: 'succeeded', exitCode: 0 } as const;
const cancelled = { ...crash, result: 'cancelled', exitCode: 130 } as const;

it.each([
  [crash, 'escalate', true],
  [blocked, 'escalate', true],
  [done, 'escalate', false],
  [cancelled, 'escalate', false],
  [crash, 'end', false],
  [crash, undefined, false],
] as const)('%j with %s', (outcome, onFailure, expected) => {
  expect(isEscalated(outcome, onFailure)).toBe(expected);
});

it('says what was tried and how each try ended, without what an agent hides in it', () => {
  const { question, context, options } = escalationQuestion({ text: 'mend it\u0007' }, [crash, blocked]);
  expect(question).toBe('"mend it" is blocked after 2 tries. What becomes of it?');
  // Nothing was printed, and how it died stands in the lines already.
  expect(context?.split('\n')).toEqual([
    'Try 1: exit code 1, It died.',
    'Try 2: exit code 2, It died. It was the same after a fresh start, so it is not tried again.',
  ]);
  expect(options.map(({ label }) => label)).toEqual(['Try again', 'Leave it']);
});

it('shows what the command printed, not only that it failed', () => {
  const printed = { ...blocked, summary: 'The command ended with exit code 2.', output: '3 of 9 tests fail' };
  const { context } = escalationQuestion({ text: 'mend it' }, [printed]);
  expect(context).toMatch(/\nThe end of the last output:\n3 of 9 tests fail$/);
});

it('stays of a size that can be read', () => {
  const long = { ...crash, summary: 'x'.repeat(50_000), verificationOutput: 'y'.repeat(50_000) };
  const { context = '' } = escalationQuestion(
    { text: 't' },
    Array.from({ length: 100 }, () => long),
  );
  expect(context.length).toBeLessThan(25_000);
  expect(context).toMatch(/^80 earlier tries are left out\./);
});
