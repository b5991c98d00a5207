import { expect, it } from 'vitest';
import { resolvedItem } from '../../../src/domain/prompts/prompt-item.js';
import { auditWords, settledReasons, settlementWords } from '../../../src/domain/words/settlement-words.js';
import { PromptId, ThreadId } from '../../../src/protocol/id.js';
import { type Prompt, SettledReason } from '../../../src/protocol/prompt.js';

const asked: Prompt = {
  id: PromptId.parse('prm_01k9y000000000000000000000'),
  threadId: ThreadId.parse('thr_01k9y000000000000000000000'),
  kind: 'text',
  state: 'answered',
  active: false,
  questions: [{ question: 'Which port?', multiSelect: false, options: [] }],
  fingerprint: 'f',
  onUnanswered: 'wait',
  createdAt: '2026-01-01T09:00:00.000Z',
};

const prompts: readonly (readonly [Partial<Prompt>, string])[] = [
  [{ answers: [{ question: 'Which port?', answer: ['8080'] }] }, '✓ Answered: 8080'],
  [{ state: 'cancelled' }, '✗ Left unanswered'],
  [{ state: 'cancelled', reason: 'worker_restart' }, '✗ Cancelled: the worker was restarted'],
  [{ state: 'cancelled', reason: 'worker_shutdown' }, '✗ Cancelled: the worker was stopped with its agents'],
  [{ state: 'cancelled', reason: 'turn_cancelled' }, '✗ Cancelled: the turn was interrupted'],
  [{ state: 'cancelled', reason: 'dispatch_cancelled' }, '✗ Cancelled: the work was cancelled'],
  [{ state: 'cancelled', reason: 'timeout' }, '✗ Cancelled: the work ran out of time'],
  [{ state: 'cancelled', reason: 'deadline' }, '✗ Cancelled: nobody answered in time'],
  [{ state: 'cancelled', reason: 'superseded' }, '✗ Cancelled: the agent went on without an answer'],
  [{ state: 'failed', reason: 'deadline' }, '✗ Failed: nobody answered in time'],
  [{ state: 'failed', reason: 'runtime_gone' }, '✗ Failed: the agent was gone before the answer reached it'],
  [{ state: 'failed', reason: 'The session is lost.' }, '✗ Failed: The session is lost.'],
  [{ state: 'failed', reason: 'toString' }, '✗ Failed: toString'],
];

it.each(prompts)('%j: %s', (how, words) => {
  expect(settlementWords({ ...asked, ...how })).toBe(words);
});

it.each(prompts)('the same in a thread, %j: %s', (how, words) => {
  expect(auditWords(resolvedItem({ ...asked, ...how }))).toBe(words);
});

it('has a sentence for every code, while the item keeps the code', () => {
  expect(Object.keys(settledReasons)).toEqual(SettledReason.options);
  expect(resolvedItem({ ...asked, state: 'cancelled', reason: 'dispatch_cancelled' }).content).toEqual([
    { type: 'text', text: '✗ Cancelled: dispatch_cancelled' },
  ]);
});

it('counts an answer as soon as it is accepted, and masks a secret', () => {
  const secret = [{ question: 'Which port?', multiSelect: false, isSecret: true, options: [] }];
  const answers = [{ question: 'Which port?', answer: ['8080'] }];
  expect(settlementWords({ ...asked, state: 'pending', answers, questions: secret })).toBe(
    '✓ Answered: ••••••',
  );
});

it('says who has given a secret that its agent does not have yet, and that it can be lost', () => {
  expect(settlementWords({ ...asked, state: 'pending', secretFrom: 'user:ada' })).toBe(
    'ada has given the secret. The worker keeps it in memory until the agent asks for it again; if the worker stops before that, give it again.',
  );
});
