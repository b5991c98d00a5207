import { expect, test, vi } from 'vitest';
import { ToldCalls } from '../../src/runner/told-calls.js';
import type { RuntimeFact } from '../../src/runtimes/runtime.js';
import { turnEnded } from './turn-ended.js';

const started = (id: string): RuntimeFact => ({ type: 'tool_start', id, tool: 'Bash', params: {} });
const ended = (id: string): RuntimeFact => ({
  type: 'tool_end',
  id,
  tool: 'Bash',
  success: true,
  summary: '',
  duration: 0,
});

test('whoever lets an agent go waits until the calls that were told something have ended', async () => {
  const calls = new ToldCalls();
  for (const id of ['a', 'b', 'c']) calls.take(started(id));
  expect(calls.isAny).toBe(false);
  calls.add('a');
  calls.add('b');
  calls.add('unknown');
  calls.add(undefined);
  const order: string[] = [];
  const settled = calls.settled().then(() => order.push('settled'));
  calls.take(ended('c'));
  calls.take(ended('a'));
  await Promise.resolve();
  order.push('b ends');
  calls.take(ended('b'));
  await settled;
  expect([order, calls.isAny]).toEqual([['b ends', 'settled'], false]);
});

test('and not for ever', async () => {
  vi.useFakeTimers();
  try {
    const calls = new ToldCalls();
    calls.take(started('a'));
    calls.add('a');
    const settled = calls.settled();
    await vi.advanceTimersByTimeAsync(3000);
    await settled;
  } finally {
    vi.useRealTimers();
  }
});

test('a turn is over with the call that is its last, and with no other', () => {
  const calls = new ToldCalls();
  for (const id of ['a', 'b']) calls.take(started(id));
  calls.add('a');
  calls.add('b', { endsTurn: true });
  calls.add('unknown', { endsTurn: true });
  expect(['a', 'unknown', 'b', 'b'].map((id) => calls.take(ended(id)))).toEqual([
    'turn goes on',
    'turn goes on',
    'turn is over',
    'turn goes on',
  ]);
});

test('a turn that is to end does so until it has ended', () => {
  const calls = new ToldCalls();
  calls.take(started('a'));
  calls.add('unknown', { endsTurn: true });
  expect(calls.isTurnEnding).toBe(false);
  calls.add('a', { endsTurn: true });
  calls.take(ended('a'));
  expect(calls.isTurnEnding).toBe(true);
  calls.take(turnEnded);
  expect(calls.isTurnEnding).toBe(false);
});
