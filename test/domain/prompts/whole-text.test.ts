import { expect, it } from 'vitest';
import { wholeText } from '../../../src/domain/prompts/whole-text.js';
import type { Prompt } from '../../../src/protocol/prompt.js';

const question = { question: 'Allow it?', multiSelect: false, options: [] };

function approval(command: string): Pick<Prompt, 'kind' | 'questions' | 'action'> {
  return {
    kind: 'approval',
    questions: [question],
    action: { tool: 'Bash', input: { command, description: 'It is harmless' }, digest: 'd' },
  };
}

it('what fits is shown whole', () => {
  expect(wholeText(approval('npm test'), { runtime: 'claude' })).toEqual({
    isWhole: true,
    text: expect.stringMatching(/npm test[^]*It is harmless/),
  });
});

it.each([
  ['a bidirectional override', approval('echo \u202Etxt'), /hidden character/],
  [
    'a zero-width space in the name of a field',
    { ...approval('a'), action: { tool: 'T', input: { 'a\u200B': 1 }, digest: 'd' } },
    /hidden character/,
  ],
  ['many lines', approval('true\n'.repeat(200)), /more than can be shown here/],
  ['a long line', approval(`echo ${'x'.repeat(7000)}; rm -rf /`), /more than can be shown here/],
  ['a secret', { kind: 'text' as const, questions: [{ ...question, isSecret: true }] }, /secret/],
  [
    'a hidden character in a question',
    { kind: 'text' as const, questions: [{ ...question, question: 'a\u200Db' }] },
    /hidden/,
  ],
])('%s is not decided about elsewhere', (_, prompt, why) => {
  const shown = wholeText(prompt, undefined);
  expect(shown).toMatchObject({ isWhole: false, why: expect.stringMatching(why) });
  expect(shown.text.length).toBeLessThan(6100);
});
