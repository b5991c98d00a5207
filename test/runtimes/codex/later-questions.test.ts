import { expect, it } from 'vitest';
import { laterAnswers, laterQuestions } from '../../../src/runtimes/codex/later-questions.js';

// The shape of Codex 0.166.0's generated types; no model that can be scripted is offered the tool.
const message = { type: 'agentMessage', id: 'msg_1', text: 'By the way:', phase: null, delivery: null };

it('a message with questions asks them, and any other one does not', () => {
  const questions = [
    { title: 'Which colour?', options: ['Red', 'Blue'] },
    { title: 'Why?', options: null },
  ];
  expect(laterQuestions({ ...message, questions })).toEqual({
    id: 'msg_1',
    questions: [
      { question: 'Which colour?', multiSelect: false, options: [{ label: 'Red' }, { label: 'Blue' }] },
      { question: 'Why?', multiSelect: false, options: [] },
    ],
  });
  for (const other of [message, { ...message, questions: null }, { ...message, questions: [] }, null])
    expect(laterQuestions(other)).toBeNull();
});

it('the answers are told in words', () => {
  expect(laterAnswers({ 'Why?': 'Because.' })).toBe(
    'Here is the answer to your question.\n\nQuestion: Why?\nAnswer: Because.',
  );
});
