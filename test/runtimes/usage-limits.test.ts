import { expect, test } from 'vitest';
import { ClaudeUsageLimit } from '../../src/runtimes/claude/usage-limit.js';
import { CodexUsageLimit } from '../../src/runtimes/codex/usage-limit.js';
import { momentOf } from '../../src/runtimes/limit-moment.js';

const seconds = Date.parse('2026-01-02T03:04:05.000Z') / 1000;
const retryAt = '2026-01-02T03:04:05.000Z';
const failed = { errors: ['Too much.'], errorKind: 'rate_limit' } as const;
const limitOf = (...events: readonly { status: string; resetsAt?: number }[]) => {
  const limit = new ClaudeUsageLimit();
  for (const event of events) limit.note(event, false);
  return limit;
};

test('Claude Code: a turn that a limit ended knows when it is over', () => {
  expect(
    limitOf({ status: 'rejected', resetsAt: seconds }).judge({ ...failed, errors: ['Too much.'] }),
  ).toEqual({ ...failed, retryAt });
  expect(limitOf({ status: 'rejected' }).judge({ ...failed, errors: ['Too much.'] })).toEqual(failed);
  expect(limitOf().judge({ ...failed, errors: ['Too much.'] })).toEqual(failed);
});

test('Claude Code: a limit that a sub-agent met makes a success a limit, unless it was over before the end', () => {
  expect(limitOf({ status: 'rejected', resetsAt: seconds }).judge(null)).toEqual({
    errors: ['A usage limit was reached during the turn.'],
    errorKind: 'rate_limit',
    retryAt,
  });
  expect(limitOf({ status: 'rejected', resetsAt: seconds }, { status: 'allowed' }).judge(null)).toBeNull();
  const limit = new ClaudeUsageLimit();
  limit.note({ status: 'rejected', resetsAt: seconds }, true);
  limit.note({ status: 'allowed' }, false);
  expect(limit.judge(null)).toMatchObject({ errorKind: 'rate_limit', retryAt });
  expect(limit.judge(null)).toBeNull();
  expect(limitOf({ status: 'allowed_warning', resetsAt: seconds }).judge(null)).toBeNull();
});

test('Claude Code: another failure stays what it is, and the next turn begins anew', () => {
  const limit = limitOf({ status: 'rejected', resetsAt: seconds });
  expect(limit.judge({ errors: ['x'], errorKind: 'interrupted' })).toEqual({
    errors: ['x'],
    errorKind: 'interrupted',
  });
  expect(limit.judge(null)).toBeNull();
});

test('Codex: the last of the windows that are used up counts, and a null leaves what was known', () => {
  const limit = new CodexUsageLimit();
  expect(limit.retryAt).toBeUndefined();
  limit.note({
    primary: { usedPercent: 100, resetsAt: seconds },
    secondary: { usedPercent: 40, resetsAt: seconds + 9 },
  });
  expect(limit.retryAt).toBe(retryAt);
  limit.note({ primary: null, secondary: { usedPercent: 100, resetsAt: seconds + 9 } });
  expect(limit.retryAt).toBe('2026-01-02T03:04:14.000Z');
  limit.note({
    primary: { usedPercent: 3, resetsAt: seconds },
    secondary: { usedPercent: 100, resetsAt: null },
  });
  expect(limit.retryAt).toBeUndefined();
});

test.each([null, undefined, 0, -1, Number.NaN, 9e15])('%s seconds are no moment', (given) => {
  expect(momentOf(given)).toBeUndefined();
});
