import { expect, it } from 'vitest';
import { filledAnswer, promptForm } from '../../src/mcp/prompt-form.js';
import type { Prompt } from '../../src/protocol/prompt.js';

type Asked = Pick<Prompt, 'kind' | 'questions' | 'action'>;

const approval: Asked = {
  kind: 'approval',
  questions: [{ question: 'Allow Bash?', multiSelect: false, options: [] }],
  action: { tool: 'Bash', input: { command: 'echo "```" <!-- x -->' }, digest: 'd' },
};
const choices: Asked = {
  kind: 'ask_user_question',
  questions: [
    { question: 'Which?', multiSelect: false, options: [{ label: 'Red' }, { label: 'Blue' }] },
    { question: 'And?', multiSelect: true, options: [{ label: 'A' }, { label: 'B' }, { label: 'C' }] },
    { question: 'Why?', multiSelect: false, options: [] },
  ],
};

it('an approval is a form with the whole action, in a fence that the action cannot close', () => {
  const asked = promptForm(approval, undefined);
  expect(asked).toMatchObject({ form: { requestedSchema: { required: ['decision'] } } });
  const message = 'form' in asked ? asked.form.message : '';
  expect(message.split('\n').at(0)).toBe('````');
  expect(message.split('\n').at(-1)).toBe('````');
  expect(message).toContain('<!-- x -->');
});

it.each([
  [{ decision: 'approve' }, { decision: { approved: true } }],
  [{ decision: 'deny', message: 'No.' }, { decision: { approved: false, message: 'No.' } }],
  [{ decision: 'yes' }, null],
  [{ decision: true }, null],
  [{ message: 'approve' }, null],
  [{}, null],
])('an approval that was filled in with %j', (form, answer) => {
  expect(filledAnswer(approval, form)).toEqual(answer);
});

it('questions are a form with a field for each, and one for something else', () => {
  expect(promptForm(choices, undefined)).toMatchObject({
    form: {
      requestedSchema: {
        properties: {
          answer1: {
            type: 'string',
            oneOf: [
              { const: '1', title: 'Red' },
              { const: '2', title: 'Blue' },
            ],
          },
          other1: { type: 'string' },
          answer2: { type: 'array' },
          answer3: { type: 'string' },
        },
      },
    },
  });
});

it.each([
  [
    { answer1: '2', answer2: ['1', '3'], answer3: 'So.' },
    [
      { question: 'Which?', answer: ['Blue'] },
      { question: 'And?', answer: ['A', 'C'] },
      { question: 'Why?', answer: ['So.'] },
    ],
  ],
  [{ answer1: '2', other1: 'Green' }, [{ question: 'Which?', answer: ['Green'] }]],
  [{ answer1: '7', answer2: [null, {}, '__proto__'] }, null],
  [{ answer3: 7 }, null],
])('questions that were filled in with %j', (form, answers) => {
  expect(filledAnswer(choices, form)).toEqual(answers && { answers });
});

it('what cannot be shown whole has no form', () => {
  const long = { ...approval, action: { tool: 'Write', input: { content: 'x\n'.repeat(500) }, digest: 'd' } };
  expect(promptForm(long, undefined)).toEqual({ why: expect.stringContaining('more than can be shown') });
});
