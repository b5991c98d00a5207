import { expect, test } from 'vitest';
import { askedBy } from '../../../src/domain/prompts/asking.js';
import { askOwn, useOwn } from '../../../src/domain/prompts/own-prompt.js';
import { newId } from '../../../src/protocol/id.js';

const at = '2026-01-02T03:04:05.000Z';
const question = { question: 'Go on?', multiSelect: false, options: [{ label: 'Yes' }] };
const source = { now: () => 1, randomBytes: (length: number) => new Uint8Array(length) };
const ids = { id: newId('prompt', source), threadId: newId('thread', source) };

test('a question of the worker is asked at once, and used by whoever asked', () => {
  const asked = askOwn([], { ...ids, createdAt: at, question, sha256: (text) => `hash of ${text.length}` });
  const [prompt] = asked.prompts;
  if (!prompt) throw new Error('There is no prompt.');
  expect(prompt).toMatchObject({
    ...ids,
    kind: 'ask_user_question',
    active: true,
    state: 'pending',
    onUnanswered: 'wait',
  });
  expect(prompt.questions).toEqual([{ ...question, byWorker: true }]);
  expect(asked.events.map(({ type }) => type)).toEqual(['prompt_asked']);
  // Another one has to wait for it.
  expect(askOwn(asked.prompts, { ...ids, createdAt: at, question, sha256: String }).prompts[1]?.active).toBe(
    false,
  );

  const used = useOwn(asked.prompts, { ...prompt, acceptedAt: at, actor: 'user:ada', answers: [] }, at);
  expect(used).toMatchObject({ prompts: [], changes: [{ do: 'markDelivered' }, { do: 'markConsumed' }] });
  expect(used.events).toMatchObject([{ type: 'prompt_settled', promptId: ids.id }]);
});

test('an agent cannot ask as if it were the worker', () => {
  const event = {
    type: 'user_question_request',
    requestId: 'r',
    toolUseId: 't',
    questions: [{ ...question, byWorker: true }],
  } as const;
  const spoofed = {
    ...event,
    questions: event.questions.map((each) => ({ ...each, options: [...each.options] })),
  };
  expect(askedBy(spoofed, { cwd: '/', sha256: String })?.questions).toEqual([question]);
});
