import { expect, test } from 'vitest';
import { readNeedsInput } from '../../src/protocol/needs-input.js';
import { whyNotAsked } from '../../src/runner/asking-limits.js';

const long = (length: number) => 'x'.repeat(length);
const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
const asked = (levels: number) =>
  whyNotAsked('permission', { tool: 'mcp__x__y', input: { deep: nested(levels) }, toolUseId: 't' });

function question(given: object) {
  const questions = [{ question: 'Which?', multiSelect: false, options: [], ...given }];
  return whyNotAsked('question', { questions, toolUseId: 't' });
}

test.each<[string, object, string | null]>([
  ['a question', {}, null],
  ['one as long as may be', { question: long(20_000) }, null],
  [
    'one of 600,000 characters',
    { question: '\u009D'.repeat(600_000) },
    'The question has 600,000 characters, and a person can be shown 20,000 at most. Ask again, shorter.',
  ],
  [
    'a header that is a book',
    { header: long(1001) },
    'The header has 1,001 characters, and a person can be shown 1,000 at most. Ask again, shorter.',
  ],
  [
    'a thousand options',
    { options: Array.from({ length: 1000 }, () => ({ label: 'A' })) },
    'The question has 1,000 options, and a person can be shown 100 at most. Ask with fewer.',
  ],
  [
    'an option that is a book',
    { options: [{ label: long(1001) }] },
    'The label of an option has 1,001 characters, and a person can be shown 1,000 at most. Ask again, shorter.',
  ],
  [
    'an option with a preview that is a book',
    { options: [{ label: 'A', preview: long(20_001) }] },
    'The description of an option has 20,001 characters, and a person can be shown 20,000 at most. Ask again, shorter.',
  ],
])('%s', (_name, given, why) => expect(question(given)).toBe(why));

test('the number of questions, the name of a tool, and its reason are bounded (CWE-770)', () => {
  const questions = Array.from({ length: 51 }, () => ({ question: 'A?', multiSelect: false, options: [] }));
  expect(whyNotAsked('question', { questions: questions.slice(1), toolUseId: 't' })).toBeNull();
  expect(whyNotAsked('question', { questions, toolUseId: 't' })).toBe(
    'There are 51 questions, and a person can be shown 50 at once. Ask fewer.',
  );
  const action = { tool: 'Bash', input: { command: 'ls' }, toolUseId: 't' };
  expect(whyNotAsked('permission', { ...action, reason: long(20_000) })).toBeNull();
  expect(whyNotAsked('permission', { ...action, tool: long(501) })).toBe(
    'The name of the tool has 501 characters, and a person can be shown 500 at most. Ask again, shorter.',
  );
  expect(whyNotAsked('permission', { ...action, reason: long(20_001) })).toContain('The reason has 20,001');
});

test('an action and a plan are bounded by what a person can be shown', () => {
  const longest = 4 * 2 ** 20;
  expect(whyNotAsked('plan', { planContent: long(longest), toolUseId: 't' })).toBeNull();
  expect(whyNotAsked('plan', { planContent: long(longest + 1), toolUseId: 't' })).toContain(
    'The plan has 4,194,305',
  );
  expect(
    whyNotAsked('permission', { tool: 'Write', input: { content: long(longest) }, toolUseId: 't' }),
  ).toContain('Do it in smaller steps.');
});

test('CWE-674: an action that is nested too deeply for whoever copies and shows it is not asked', () => {
  expect(asked(499)).toBeNull();
  const why =
    'The action is nested deeper than 500 levels, and a person can be shown no more. Do it with a flatter input.';
  for (const levels of [501, 3000, 100_000]) expect(asked(levels)).toBe(why);
});

test.each<[string, object, string]>([
  ['a long question', { question: long(20_001) }, 'question: The question is longer than 20,000 characters.'],
  ['a long context', { context: long(100_001) }, 'context: The context is longer than 100,000 characters.'],
  ['a blank option', { options: ['A', ' '] }, 'options.1: An option is blank.'],
  [
    'many options',
    { options: Array.from({ length: 101 }, () => 'A') },
    'options: There are more than 100 options.',
  ],
])('a needs-input file with %s', (_name, given, error) => {
  const text = JSON.stringify({ question: 'Which?', ...given });
  expect(readNeedsInput({ ok: true, text })).toEqual({
    type: 'needs_input',
    error: `The needs-input file is not valid: ${error}`,
  });
});

test('an action with a field that would not be shown is not asked about', () => {
  const input: Record<string, unknown> = JSON.parse('{"command":"ls","__proto__":{"command":"rm -rf ."}}');
  expect(whyNotAsked('permission', { tool: 'mcp__x__y', input, toolUseId: 't' })).toBe(
    'The action has a field named __proto__, which a person cannot be shown. Do it without this field.',
  );
  const nested = { deep: input };
  expect(whyNotAsked('permission', { tool: 'mcp__x__y', input: nested, toolUseId: 't' })).toBeNull();
});
