import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ModelRetries } from '../../../src/runtimes/codex/model-retries.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const limited = { message: 'x', codexErrorInfo: { responseStreamConnectionFailed: { httpStatusCode: 429 } } };
const unreachable = { message: 'x', codexErrorInfo: 'httpConnectionFailed' };

/** After how many seconds of silence a turn is given up. */
function givenUpAfter(error: object, answersAfter = Number.POSITIVE_INFINITY): number | null {
  const retries = new ModelRetries(() => Date.now());
  const startedAt = Date.now();
  let givenUp: number | null = null;
  retries.failed({ message: '', ...error });
  retries.watch(() => {
    givenUp = (Date.now() - startedAt) / 1000;
  });
  for (let second = 1; second < 200; second++) {
    if (second === answersAfter) retries.over();
    vi.advanceTimersByTime(1000);
  }
  return givenUp;
}

test('a turn whose model stays silent is given up, sooner after a limit, and not once it has answered', () => {
  expect(givenUpAfter(limited)).toBe(16);
  expect(givenUpAfter(unreachable)).toBe(61);
  expect(givenUpAfter({ codexErrorInfo: 'unauthorized' })).toBe(0);
  expect(givenUpAfter(limited, 10)).toBeNull();
});
