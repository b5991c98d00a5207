import { describe, expect, test } from 'vitest';
import { pathInside, pathShape } from '../../../src/domain/prompts/path-shape.js';
import {
  type AnsweredPrompt,
  isAnsweredByPerson,
  precedentOf,
} from '../../../src/domain/prompts/precedent.js';
import { precedentKeys } from '../../../src/domain/prompts/precedent-keys.js';
import type { ThreadPrompt } from '../../../src/domain/prompts/thread-prompt.js';
import type { PromptAction } from '../../../src/protocol/prompt.js';
import type { Question } from '../../../src/protocol/question.js';
import { accepted, prompt, promptId } from '../samples.js';

const sha256 = (text: string) => `#${text}`;
const question = (words: string, ...labels: string[]): Question => ({
  question: words,
  multiSelect: false,
  options: labels.map((label) => ({ label })),
});
const action = (tool: string, input: PromptAction['input']): PromptAction => ({ tool, input, digest: 'd' });
const asked = (questions: readonly Question[]) => ({ kind: 'ask_user_question', questions }) as const;
const approval = (tool: string, input: PromptAction['input']) =>
  ({ kind: 'approval', questions: [], action: action(tool, input) }) as const;
const keys = (what: Parameters<typeof precedentKeys>[0], cwd = '/w') =>
  precedentKeys(what, { project: '/p', cwd, sha256 });

test.each([
  ['/w', '/w/src/a.js', 'src/a.js'],
  ['/w', 'src/./x/../a.js', 'src/a.js'],
  ['/w', '/w/../etc/passwd', null],
  ['/w', '../w2/a', null],
  ['/w', '/w', null],
  ['/w', '/ww/a', null],
  ['/w', '/../../w/a', null],
  ['/w', 'a\0b', null],
  ['/w', '', null],
])('below %s the path %j is %j', (folder, path, inside) => {
  expect(pathInside(folder, path)).toBe(inside);
});

test.each([
  ['src/cart.js', 'src/*.js'],
  ['Makefile', '*'],
  ['a/.env', 'a/*'],
  ['a.b/c', 'a.b/*'],
])('the shape of %s is %s', (path, shape) => {
  expect(pathShape(path)).toBe(shape);
});

describe('keys', () => {
  test.each([
    [
      'the same words and options',
      asked([question('Which?', 'A', 'B')]),
      asked([question('Which?', 'A', 'B')]),
      'same',
    ],
    ['other options', asked([question('Which?', 'A')]), asked([question('Which?', 'B')]), 'similar'],
    ['other numbers', asked([question('Port 80?')]), asked([question('port 8080')]), 'similar'],
    ['other words', asked([question('Which port?')]), asked([question('Which host?')]), 'other'],
    [
      'the same edit elsewhere',
      approval('Edit', { file_path: '/w/a.js', old_string: 'a' }),
      approval('Edit', { file_path: 'a.js', old_string: 'a' }),
      'same',
    ],
    [
      'another edit of the same kind',
      approval('Edit', { file_path: '/w/src/a.js', old_string: 'a' }),
      approval('Edit', { file_path: '/w/src/b.js', old_string: 'b' }),
      'similar',
    ],
    [
      'an edit in another folder',
      approval('Edit', { file_path: '/w/src/a.js' }),
      approval('Edit', { file_path: '/w/test/a.js' }),
      'other',
    ],
    [
      'another tool on the same file',
      approval('Read', { file_path: '/w/a.js' }),
      approval('Edit', { file_path: '/w/a.js' }),
      'other',
    ],
    [
      'a command in other words about it',
      approval('Bash', { command: 'ls', description: 'a' }),
      approval('Bash', { command: 'ls', description: 'b' }),
      'same',
    ],
    [
      'another use of a program',
      approval('Bash', { command: 'npm test' }),
      approval('Bash', { command: 'npm test -- a' }),
      'similar',
    ],
    [
      'another part of a program',
      approval('Bash', { command: 'npm test' }),
      approval('Bash', { command: 'npm publish' }),
      'other',
    ],
    ['plans', approval('plan', { plan: 'a' }), approval('plan', { plan: 'b' }), 'other'],
  ] as const)('%s', (_name, one, other, likeness) => {
    const [a, b] = [keys(one), keys(other)];
    const found =
      a?.same === b?.same
        ? 'same'
        : a?.similar !== undefined && a.similar === b?.similar
          ? 'similar'
          : 'other';
    expect(found).toBe(likeness);
  });

  test('are the same in every worktree of a project', () => {
    const edits = ['/w1', '/w2'].map((cwd) => keys(approval('Edit', { file_path: `${cwd}/a.js` }), cwd));
    expect(edits[0]).toEqual(edits[1]);
  });

  test('a secret leaves none', () => {
    expect(keys(asked([{ ...question('Password?'), isSecret: true }]))).toBeUndefined();
  });
});

const answered = (fields: Partial<ThreadPrompt>): AnsweredPrompt => {
  const given = accepted({ state: 'answered', actor: 'user:me', ...fields });
  if (!isAnsweredByPerson(given)) throw new Error('not answered by a person');
  return given;
};
const layout = [question('Layout?', 'One', 'Two')];

describe('an earlier answer', () => {
  test('is offered again where it fits', () => {
    const earlier = answered({ questions: layout, answers: [{ question: 'Layout?', answer: ['One'] }] });
    const now = prompt({ id: promptId(9), questions: layout });
    expect(precedentOf(now, earlier)).toMatchObject({
      answered: 'One',
      answer: { answers: [{ question: 'Layout?', answer: ['One'] }] },
    });
  });

  test.each([
    ['an option that is not there now', [question('Layout?', 'Three')], ['One'], undefined],
    ['words of one’s own', [question('Layout?', 'Three')], ['none'], ['none']],
    ['several where one is taken', layout, ['One', 'Two'], undefined],
    ['a text too long to be seen whole', layout, ['x'.repeat(300)], undefined],
    ['a text with what is not seen', layout, ['a\u202eb'], undefined],
    ['a text of two lines', layout, ['a\nb'], undefined],
  ] as const)('%s', (_name, questions, given, taken) => {
    const earlier = answered({ questions: layout, answers: [{ question: 'Layout?', answer: [...given] }] });
    const { answer } = precedentOf(prompt({ questions: [...questions] }), earlier);
    expect(answer).toEqual(taken && { answers: [{ question: 'Layout?', answer: [...taken] }] });
  });

  test.each([
    [{ approved: true }, ['Approve'], 'Approve', { approved: true }],
    [{ approved: true, scope: 'thread' }, ['Approve'], 'Approve, always in its thread', { approved: true }],
    [
      { approved: false, message: 'too risky' },
      ['Deny'],
      'Deny: too risky',
      { approved: false, message: 'too risky' },
    ],
    [{ approved: true, updatedInput: {} }, ['Approve'], 'Approve, with changes', undefined],
  ] as const)('a decision %j', (decision, answer, words, taken) => {
    const fields = { kind: 'approval', questions: [question('May it?', 'Approve', 'Deny')] } as const;
    const earlier = answered({
      ...fields,
      questions: [...fields.questions],
      answer: { decision },
      answers: [{ question: 'May it?', answer: [...answer] }],
    });
    const shown = precedentOf(prompt({ ...fields, questions: [...fields.questions] }), earlier);
    expect([shown.answered, shown.answer]).toEqual([words, taken && { decision: taken }]);
  });

  test.each([
    ['of a policy', { actor: 'policy:deadline' }],
    ['of a rule', { actor: 'policy:layout@1' }],
    ['that was cancelled', { state: 'cancelled' }],
    ['to a secret', { questions: [{ ...question('Password?'), isSecret: true }] }],
  ] as const)('%s is no precedent', (_name, fields) => {
    const given = { state: 'answered', actor: 'user:me', ...fields } as unknown as Partial<ThreadPrompt>;
    expect(isAnsweredByPerson(accepted(given))).toBe(false);
  });
});
