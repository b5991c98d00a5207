import { expect, test, vi } from 'vitest';
import { ToldCalls } from '../../src/runner/told-calls.js';

test('whoever lets an agent go waits until the calls that were told something have ended', async () => {
  const calls = new ToldCalls();
  for (const id of ['a', 'b', 'c']) calls.started(id);
  expect(calls.isAny).toBe(false);
  calls.add('a');
  calls.add('b');
  calls.add('unknown');
  calls.add(undefined);
  const order: string[] = [];
  const settled = calls.settled().then(() => order.push('settled'));
  calls.ended('c');
  calls.ended('a');
  await Promise.resolve();
  order.push('b ends');
  calls.ended('b');
  await settled;
  expect([order, calls.isAny]).toEqual([['b ends', 'settled'], false]);
});

test('and not for ever', async () => {
  vi.useFakeTimers();
  try {
    const calls = new ToldCalls();
    calls.started('a');
    calls.add('a');
    const settled = calls.settled();
    await vi.advanceTimersByTimeAsync(3000);
    await settled;
  } finally {
    vi.useRealTimers();
  }
});
