import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cancelledEnding,
  cutOffEnding,
  type Ending,
  endingOfExit,
  lostWorkerEnding,
  outcomeOf,
  timedOutEnding,
  workerFailedEnding,
} from '../../../src/domain/dispatch/outcome.js';
import { afterAttempt, beginnings, type Start, triesOf } from '../../../src/domain/dispatch/retry-policy.js';
import type { TurnErrorKind } from '../../../src/protocol/turn-result.js';

const done: Ending = { execution: { kind: 'completed' }, claim: 'success', verification: 'not_run' };
const crash = outcomeOf(endingOfExit({ exitCode: 1, signal: null, oom: false }, 'It died.'));
const unverified = outcomeOf({ ...done, verification: 'failed' });
const workerFailed = outcomeOf(workerFailedEnding('No question.'));
const cutOff = outcomeOf(cutOffEnding);
const lost = outcomeOf(lostWorkerEnding('worker-1'));
const asked = outcomeOf({ ...done, claim: 'needs_input' });

function error(errorKind: TurnErrorKind) {
  return outcomeOf({ ...done, execution: { kind: 'error', error: errorKind }, claim: 'failure', errorKind });
}

/** What follows those tries when each began as the policy says. */
function after(...outcomes: (typeof crash)[]) {
  const hows = beginnings({ outcomes: outcomes.slice(0, -1), retries: 2 });
  return afterAttempt({ outcomes, hows, retries: 2, random: 0.5 });
}

const retry = (delayMs: number, how: Start) => ({ do: 'retry', delayMs, how });
const end = (outcome: typeof crash) => ({ do: 'end', outcome });
const blocked = (outcome: typeof crash) =>
  end({ ...outcome, result: 'blocked', exitCode: 2, retriable: false });

describe('after a try', () => {
  test.each([
    ['that succeeded', [outcomeOf(done)], end(outcomeOf(done))],
    ['that was called off', [outcomeOf(cancelledEnding)], end(outcomeOf(cancelledEnding))],
    ['that is blocked', [asked], end(asked)],
    ['that has no login', [error('auth')], end(error('auth'))],
    ['that crashed', [crash], retry(1000, 'resume')],
    ['that crashed again', [crash, crash], retry(2000, 'fresh')],
    ['that crashed after a fresh start too', [crash, crash, crash], blocked(crash)],
    ['whose worker was cut off', [cutOff], retry(0, 'resume')],
    ['whose worker is gone', [lost], retry(0, 'fresh')],
    ['that crashed after its worker was gone', [lost, crash], retry(1000, 'resume')],
    ['whose fourth worker is gone', [lost, cutOff, lost, lost], end(lost)],
    ['that spent what its runtime allows', [error('max_budget')], retry(0, 'resume')],
    ['that was not verified', [unverified], retry(1000, 'resume')],
    ['that took too long', [outcomeOf(timedOutEnding)], retry(1000, 'resume')],
    ['whose model was down', [error('server')], retry(1000, 'resume')],
    ['whose model stays down', [error('server'), error('server'), error('server')], end(error('server'))],
    ['whose session the model refuses', [error('invalid_request')], retry(1000, 'fresh')],
    [
      'whose fresh session the model refuses too',
      [error('invalid_request'), error('invalid_request')],
      blocked(error('invalid_request')),
    ],
    ['whose fresh session fails in another way', [error('invalid_request'), crash], retry(2000, 'resume')],
    ['with an unreadable question', [workerFailed], retry(1000, 'resume')],
    ['with an unreadable question again', [workerFailed, workerFailed], retry(2000, 'fresh')],
    [
      'with an unreadable question after a fresh start',
      [workerFailed, workerFailed, workerFailed],
      blocked(workerFailed),
    ],
    ['that crashed after questions, which do not count', [crash, asked, asked, crash], retry(2000, 'fresh')],
  ])('%s', (_, outcomes, expected) => {
    expect(after(...outcomes)).toEqual(expected);
  });
});

const limited = (retryAt?: string) => ({
  ...error('rate_limit'),
  ...(retryAt !== undefined && { retryAt }),
});

describe('a usage limit', () => {
  const until = '2026-01-02T03:04:05.000Z';

  test('that ends at a known time is waited for, however often, and counts as no try', () => {
    expect(after(limited(until))).toEqual({ do: 'defer', until, delayMs: 2500 });
    expect(after(...Array.from({ length: 30 }, () => limited(until)))).toEqual({
      do: 'defer',
      until,
      delayMs: 2500,
    });
    expect(after(crash, limited(until), limited(), crash)).toEqual(retry(2000, 'fresh'));
    expect(after(crash, limited(), crash, limited(), crash)).toEqual(end(crash));
    const outcomes = [crash, limited(until), limited(), undefined];
    expect(triesOf(outcomes.map((outcome) => ({ outcome })))).toBe(2);
  });

  test('of which nobody says the end is waited for longer and longer, and given up at last', () => {
    const waits = Array.from({ length: 9 }, (_, index) =>
      after(...Array.from({ length: index + 1 }, () => limited())),
    );
    expect(waits.map((step) => ('delayMs' in step ? step.delayMs / 60_000 : step.do))).toEqual([
      1,
      2,
      4,
      8,
      16,
      30,
      30,
      30,
      'end',
    ]);
    expect(after(limited(), limited(), limited(until), limited())).toEqual({ do: 'defer', delayMs: 60_000 });
  });
});

test('a service that stays down does not break the circuit', () => {
  const outcomes = [error('network'), error('network')];
  const step = afterAttempt({ outcomes, hows: ['resume', 'fresh'], retries: 5, random: 0.5 });
  expect(step).toEqual(retry(2000, 'resume'));
});

test('without tries there is nothing to decide', () => {
  expect(() => afterAttempt({ outcomes: [], hows: [], retries: 2, random: 0 })).toThrow(RangeError);
});

test('pauses double with jitter and stay under a minute', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (tries, random) => {
        const outcomes = Array.from({ length: tries }, () => crash);
        const hows = outcomes.map((): Start => 'resume');
        const step = afterAttempt({ outcomes, hows, retries: 100, random });
        const middle = 1000 * 2 ** (tries - 1);
        expect(step.do).toBe('retry');
        const delay = step.do === 'retry' ? step.delayMs : Number.NaN;
        expect(delay).toBeGreaterThanOrEqual(Math.min(60_000, middle * 0.75));
        expect(delay).toBeLessThanOrEqual(Math.min(60_000, middle * 1.25));
      },
    ),
  );
});
