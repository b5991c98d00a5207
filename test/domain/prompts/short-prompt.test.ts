import { expect, it } from 'vitest';
import { isShortPrompt } from '../../../src/domain/prompts/short-prompt.js';
import type { PromptAction } from '../../../src/protocol/prompt.js';
import type { Question } from '../../../src/protocol/question.js';

const question = (fields: Partial<Question> = {}): Question => ({
  question: 'Which colour?',
  options: [{ label: 'Red' }, { label: 'Blue', description: 'Like the sky' }],
  multiSelect: false,
  ...fields,
});
const options = (count: number) => Array.from({ length: count }, (_, index) => ({ label: `${index}` }));

it.each<[string, Question[], boolean]>([
  ['one question', [question()], true],
  ['one of several choices', [question({ multiSelect: true })], true],
  ['one without options', [question({ options: [] })], true],
  ['nothing', [], false],
  ['two questions', [question(), question()], false],
  ['a secret', [question({ options: [], isSecret: true })], false],
  ['an option with a preview', [question({ options: [{ label: 'Grid', preview: '+-+' }] })], false],
  ['as many options as there are keys', [question({ options: options(9) })], true],
  ['one more', [question({ options: options(10) })], false],
  ['a long question', [question({ question: 'x'.repeat(700) })], false],
  ['a long context', [question({ context: 'x'.repeat(700) })], false],
  ['a context of many lines', [question({ context: '\n'.repeat(20) })], false],
  ['a long option', [question({ options: [{ label: 'a', description: 'x'.repeat(700) }] })], false],
])('%s is answered in the list: %s', (_, questions, isShort) => {
  expect(isShortPrompt({ kind: 'ask_user_question', questions })).toBe(isShort);
});

const action = (input: PromptAction['input'], fields: Partial<PromptAction> = {}): PromptAction => ({
  tool: 'Bash',
  input,
  digest: 'd',
  ...fields,
});

it.each<[string, PromptAction, boolean]>([
  ['a command', action({ command: 'npm test' }), true],
  ['an edit of a line', action({ file_path: 'a', old_string: 'one\n', new_string: 'two\n' }), true],
  ['a command of many lines', action({ command: 'true\n'.repeat(20) }), false],
  ['a long command', action({ command: `echo ${'x'.repeat(700)}` }), false],
  ['what is deep inside', action({ edits: [{ new_string: 'x'.repeat(700) }] }), false],
  ['a long name of a field', action({ ['x'.repeat(700)]: 1 }), false],
  ['many fields', action(Object.fromEntries(options(700).map(({ label }) => [label, '']))), false],
  ['a long reason', action({ command: 'true' }, { reason: 'x'.repeat(700) }), false],
  ['characters that nobody sees', action({ command: 'echo \u202e' }), false],
  ['a plan', action({ plan: 'Do it.' }, { tool: 'plan' }), false],
])('%s is approved in the list: %s', (_, asked, isShort) => {
  const questions = [question({ options: [{ label: 'Approve' }, { label: 'Deny' }] })];
  expect(isShortPrompt({ kind: 'approval', action: asked, questions })).toBe(isShort);
});
