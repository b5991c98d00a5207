import { expect, it } from 'vitest';
import { threadMark, workMark } from '../../../src/domain/words/work-mark.js';
import { DispatchId } from '../../../src/protocol/id.js';
import type { AgentStatus } from '../../../src/protocol/status.js';
import type { Thread } from '../../../src/protocol/thread.js';

const id = DispatchId.parse('dsp_01k9y000000000000000000000');
const since = '2026-01-01T09:00:00.000Z';
const succeeded = { state: 'ended', result: 'succeeded' } as const;
const failed = { state: 'ended', result: 'failed' } as const;

it.each<[AgentStatus, Omit<NonNullable<Thread['lastDispatch']>, 'id'> | null, string]>([
  [{ state: 'initializing' }, { state: 'running' }, '◌ Starting'],
  [{ state: 'busy', since }, { state: 'running' }, '● Working'],
  [{ state: 'busy', since, modelRetry: { attempt: 4, of: 10 } }, { state: 'running' }, '! Model silent'],
  [{ state: 'question', since, held: true }, { state: 'waiting' }, '? Question'],
  [{ state: 'idle' }, succeeded, '◉ Ready to review'],
  [{ state: 'stopped' }, succeeded, '◉ Ready to review'],
  [{ state: 'idle' }, failed, '✗ Failed'],
  [{ state: 'idle' }, { state: 'ended', result: 'blocked' }, '■ Blocked'],
  [{ state: 'stopped' }, { state: 'ended', result: 'cancelled' }, '- Cancelled'],
  [{ state: 'stopped' }, { state: 'queued' }, '… Queued'],
  [{ state: 'crashed', exitCode: 1 }, { state: 'queued' }, '… Queued'],
  [{ state: 'stopped' }, { state: 'queued', waitsFor: 'quota' }, '◷ Waits for quota'],
  [{ state: 'crashed', exitCode: 1 }, failed, '✗ Crashed'],
  [{ state: 'oomKilled' }, failed, '✗ Out of memory'],
  [{ state: 'idle' }, { state: 'waiting' }, '? Waiting for you'],
  [{ state: 'unknown' }, { state: 'running' }, '~ Unknown'],
  [{ state: 'idle' }, null, '○ Idle'],
  [{ state: 'stopped' }, null, '· Stopped'],
])('%j and %j: %s', (status, work, words) => {
  const report = { ...status, why: 'w', source: 's', confidence: 'strong' } as const;
  const { symbol, word } = threadMark({
    status: report,
    ...(work ? { lastDispatch: { id, ...work } } : {}),
  });
  expect(`${symbol} ${word}`).toBe(words);
});

it.each<[AgentStatus, string]>([
  [{ state: 'busy', since }, '● Working (a guess)'],
  [{ state: 'idle' }, '○ Idle (a guess)'],
  [{ state: 'question', since, held: true }, '? Question (a guess)'],
  [{ state: 'unknown' }, '~ Unknown'],
])('%j that is only guessed: %s', (status, words) => {
  const report = { ...status, why: 'w', source: 's', confidence: 'weak' } as const;
  const { symbol, word } = threadMark({ status: report, lastDispatch: { id, state: 'running' } });
  expect(`${symbol} ${word}`).toBe(words);
});

it('shows the result of work once it has one', () => {
  expect([workMark({ state: 'running' }).word, workMark(succeeded).word]).toEqual(['Working', 'Succeeded']);
});

it('shows what became of work that was looked at, until other work is given', () => {
  const status = { state: 'idle', why: 'w', source: 's', confidence: 'strong' } as const;
  const lastDispatch = { id, ...succeeded };
  const later = DispatchId.parse('dsp_01k9y000000000000000000001');
  const word = (given: Pick<Thread, 'settled'>, last = lastDispatch) =>
    threadMark({ status, lastDispatch: last, ...given }).word;
  expect(word({ settled: { how: 'merge', into: 'main', dispatchId: id } })).toBe('Landed');
  expect(word({ settled: { how: 'discard', dispatchId: id } })).toBe('Discarded');
  expect(word({ settled: { how: 'merge', dispatchId: id } }, { id: later, ...succeeded })).toBe(
    'Ready to review',
  );
});
