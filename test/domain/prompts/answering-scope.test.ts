import { expect, it } from 'vitest';
import { answeringScope } from '../../../src/domain/prompts/answering-scope.js';

const question = { question: 'Which?', multiSelect: false, options: [] };
const action = { tool: 'Bash', input: {}, digest: 'd' };

it.each([
  ['a question of the agent', { kind: 'ask_user_question', questions: [question] }, 'answer'],
  ['a question left in a file', { kind: 'text', questions: [question] }, 'answer'],
  ['an action', { kind: 'approval', action, questions: [] }, 'approve'],
  ['a plan without an action', { kind: 'approval', questions: [question] }, 'approve'],
  ['a question about an action', { kind: 'ask_user_question', action, questions: [question] }, 'approve'],
  [
    'a question of the worker',
    { kind: 'ask_user_question', questions: [{ ...question, byWorker: true }] },
    'approve',
  ],
] as const)('%s', (_, prompt, scope) => {
  expect(answeringScope({ ...prompt, questions: [...prompt.questions] })).toBe(scope);
});
