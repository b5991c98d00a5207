import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SilenceWatch } from '../../../src/runtimes/acp/silence-watch.js';

const minute = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A watch over an agent with a limit of 15 minutes, and what was made of its silence. */
function watching() {
  const made: string[] = [];
  const agent = { isBusy: false };
  const watch = new SilenceWatch({
    limitMs: 15 * minute,
    now: Date.now,
    isBusy: () => agent.isBusy,
    silent: () => made.push('silent'),
    deaf: () => made.push('deaf'),
  });
  return { watch, made, agent };
}

test('an agent that speaks now and then is not silent', () => {
  const { watch, made } = watching();
  for (let passed = 0; passed < 60; passed += 14) {
    vi.advanceTimersByTime(14 * minute);
    watch.heard();
  }
  expect(made).toEqual([]);
});

test('nor is one whose tool runs, or who waits for a person; its time begins after that', () => {
  const { made, agent } = watching();
  agent.isBusy = true;
  vi.advanceTimersByTime(600 * minute);
  agent.isBusy = false;
  vi.advanceTimersByTime(14 * minute);
  expect(made).toEqual([]);
  vi.advanceTimersByTime(3 * minute);
  expect(made).toEqual(['silent']);
});

test('one that goes on in silence is deaf after a minute, once', () => {
  const { made, agent } = watching();
  vi.advanceTimersByTime(16 * minute);
  expect(made).toEqual(['silent']);
  // What it had begun says nothing any more: it was called off.
  agent.isBusy = true;
  vi.advanceTimersByTime(2 * minute);
  expect(made).toEqual(['silent', 'deaf']);
  vi.advanceTimersByTime(60 * minute);
  expect(made).toEqual(['silent', 'deaf']);
});

test('one that still speaks is let end, and nothing is made of a turn that has ended', () => {
  const { watch, made } = watching();
  vi.advanceTimersByTime(16 * minute);
  for (let passed = 0; passed < 10; passed += 1) {
    watch.heard();
    vi.advanceTimersByTime(minute);
  }
  watch[Symbol.dispose]();
  vi.advanceTimersByTime(60 * minute);
  expect(made).toEqual(['silent']);
});
