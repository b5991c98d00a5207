import { describe, expect, it } from 'vitest';
import { askForServer, formContent, formQuestions } from '../../src/runtimes/elicitation.js';
import type { RuntimeHost } from '../../src/runtimes/runtime.js';

const form = (properties: Record<string, unknown>, required: string[] = []) => ({
  server: 'el',
  message: 'Deploy?',
  schema: { type: 'object', properties, required },
});

describe('a form', () => {
  it('never asks two questions in the same words, because answers are told by them', () => {
    const twins = form({ a: { type: 'string', title: 'Name' }, b: { type: 'string', title: 'Name' } });
    expect(formQuestions(twins).map(({ question }) => question)).toEqual([
      'Deploy?\nName',
      'Deploy?\nName (b)',
    ]);
    expect(formContent(twins, { 'Deploy?\nName': 'x', 'Deploy?\nName (b)': 'y' })).toEqual({
      a: 'x',
      b: 'y',
    });
  });

  it.each([
    ['a', { type: 'string', oneOf: [{ const: 'eu', title: 'Europe' }] }, 'Europe', 'eu'],
    [
      'a',
      { type: 'array', items: { anyOf: [{ const: 'x', title: 'X' }, { const: 'y' }] } },
      'X, y',
      ['x', 'y'],
    ],
    ['a', { type: 'boolean' }, 'yes', true],
    ['a', { type: 'number' }, '1.5', 1.5],
    ['a', { type: 'integer' }, '-', undefined],
    ['a', { type: 'string', enum: 'not a list', minLength: 'short' }, 'text', 'text'],
    ['constructor', { type: 'string' }, 'text', 'text'],
  ])('has in %s of %j with %j the value %j', (name, field, answer, value) => {
    const [question] = formQuestions(form({ [name]: field }));
    const content = formContent(form({ [name]: field }), { [question?.question ?? '']: answer });
    expect(content).toEqual(value === undefined ? {} : { [name]: value });
  });

  it.each([{}, null, 'nonsense', { properties: 5 }])(
    'without fields asks whether to go on: %j',
    async (schema) => {
      const asked: object[] = [];
      const answering = (label: string): Pick<RuntimeHost, 'ask' | 'now'> => ({
        now: () => 0,
        ask: (async (_kind: string, request: { questions: { options: object[] }[] }) => {
          asked.push(...request.questions);
          return { answered: true, answers: { 'Deploy?': label } };
        }) as unknown as RuntimeHost['ask'],
      });
      const about = {
        server: 'el',
        message: 'Deploy?',
        toolUseId: 't',
        wants: { mode: 'form', schema },
      } as const;
      const { signal } = new AbortController();
      expect(await askForServer(answering('Continue'), about, signal)).toEqual({
        action: 'accept',
        content: {},
      });
      expect(await askForServer(answering('Decline'), about, signal)).toEqual({ action: 'decline' });
      expect(asked).toMatchObject([
        { options: [{ label: 'Continue' }, { label: 'Decline' }], expects: { type: 'choice' } },
        {},
      ]);
    },
  );
});
