import { expect, it } from 'vitest';
import { deferredUntil, mendedWait } from '../../../src/domain/dispatch/deferral.js';
import { outcomeOf } from '../../../src/domain/dispatch/outcome.js';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
const now = Date.parse(at(0));
const limited = outcomeOf({
  execution: { kind: 'error', error: 'rate_limit' },
  claim: 'failure',
  verification: 'not_run',
  errorKind: 'rate_limit',
});

it('work waits for the end of a limit, for a week and a day at most', () => {
  expect(deferredUntil({ until: at(30), delayMs: 2000 }, now)).toBe('2026-01-01T12:30:02.000Z');
  expect(deferredUntil({ until: at(-30), delayMs: 2000 }, now)).toBe('2026-01-01T12:00:02.000Z');
  expect(deferredUntil({ delayMs: 60_000 }, now)).toBe(at(1));
  expect(deferredUntil({ until: '2031-01-01T00:00:00.000Z', delayMs: 0 }, now)).toBe(
    '2026-01-09T12:00:00.000Z',
  );
});

it.each([
  ['the clock is right', at(4), at(-1), limited, null],
  ['nothing is waited for', undefined, at(-1), limited, null],
  ['the clock was put back by an hour', at(64), at(60), limited, at(4)],
  ['that was seen before', at(4), at(60), limited, null],
  ["a limit's end is a moment", at(64), at(60), { ...limited, retryAt: at(64) }, null],
] as const)('when %s', (_name, notBefore, endedAt, outcome, expected) => {
  const attempts = [{ runIds: [], startedAt: at(-9), endedAt, outcome }];
  expect(mendedWait({ notBefore, attempts }, now)).toBe(expected);
});

it('work without a try, or with one under way, is left alone', () => {
  expect(mendedWait({ notBefore: at(64), attempts: [] }, now)).toBeNull();
  expect(mendedWait({ notBefore: at(64), attempts: [{ runIds: [], startedAt: at(60) }] }, now)).toBeNull();
});
