import { expect, it } from 'vitest';
import {
  outcomeAxes,
  outcomeSentence,
  outputWords,
  type ReasonCode,
} from '../../../src/domain/words/outcome-words.js';
import { failureTable } from '../../../src/protocol/failure.js';
import type { Outcome } from '../../../src/protocol/outcome.js';

const failed: Outcome = {
  result: 'failed',
  exitCode: 1,
  retriable: true,
  execution: { kind: 'completed' },
  claim: 'none',
  verification: 'not_run',
};

it.each<[ReasonCode, string]>([
  ['auth', 'the agent is not logged in'],
  ['rate_limit', 'the rate limit was reached'],
  ['overloaded', 'the model is overloaded'],
  ['billing', 'the account has no credit left'],
  ['server', "the model's server failed"],
  ['network', "the model's server could not be reached"],
  ['invalid_request', "the model's server refused the request"],
  ['max_turns', 'the turn limit was reached'],
  ['max_budget', 'the budget was used up'],
  ['budget', 'its budget is used up'],
  ['structured_output', 'the result does not match the schema'],
  ['crashed', 'the agent crashed'],
  ['denied', 'a required action was denied'],
  ['error', 'the agent ended with an error'],
  ['failure_claimed', 'the agent reports a failure'],
  ['blocked_claimed', 'it says that it is blocked'],
  ['data_error', 'it says that its input is wrong'],
  ['no_input', 'it says that a file is missing'],
  ['temp_fail', 'it says that it may work later'],
  ['needs_input', 'the agent needs input'],
  ['no_result', 'no result reported'],
  ['oom', 'out of memory'],
  ['timeout', 'the time limit was reached'],
  ['unanswered', 'a question was not answered'],
  ['verification_failed', 'verification failed'],
  ['worker-failed', 'the agent left a question that cannot be read'],
])('%s: %s', (reason, words) => {
  expect(outcomeSentence({ ...failed, reason })).toBe(words);
});

it.each([
  ['usage', 'it says that it was called wrongly: exit code 64'],
  ['unavailable', 'it says that a service is down: exit code 64'],
  ['no_permission', 'it says that a login or a permission is missing: exit code 64'],
  ['config', 'it says that its configuration is wrong: exit code 64'],
])('%s, told by a command: %s', (reason, words) => {
  const claimed = { ...failed, claim: 'failure', reason, summary: 'exit code 64' } as const;
  expect(outcomeSentence(claimed)).toBe(words);
  // Where we could not do it, our own sentence says what happened.
  expect(outcomeSentence({ ...claimed, claim: 'none' })).toBe('exit code 64');
});

it('says why a crash ends the tries before they are used up', () => {
  const crash = {
    ...failed,
    reason: 'crashed',
    summary: 'The exec process was killed by SIGSEGV.',
    execution: { kind: 'crashed', exitCode: null, signal: 'SIGSEGV' },
  } as const;
  expect(outcomeSentence(crash)).toBe(crash.summary);
  const blocked = { ...crash, result: 'blocked', exitCode: 2, retriable: false } as const;
  expect(outcomeSentence(blocked)).toBe(
    `${crash.summary} It was the same after a fresh start, so it is not tried again.`,
  );
  expect(outputWords(blocked)).toBe('');
});

it('has words for every failure of ours', () => {
  for (const code of Object.keys(failureTable))
    expect(outcomeSentence({ ...failed, reason: code })).not.toContain(code.includes('_') ? code : '\n');
  expect(outcomeSentence({ ...failed, reason: 'missing_file' })).toBe('a named file or folder is missing');
});

it.each<[Partial<Outcome>, string]>([
  [{}, ''],
  [{ result: 'cancelled', reason: 'cancelled', execution: { kind: 'cancelled' } }, ''],
  [{ result: 'cancelled', reason: 'cancelled by user:ada' }, 'cancelled by ada'],
  [
    { result: 'blocked', reason: 'budget', summary: 'A person stopped it at its budget.' },
    'A person stopped it at its budget.',
  ],
  [{ execution: { kind: 'crashed', exitCode: 3 } }, 'the agent crashed (exit code 3)'],
  [{ execution: { kind: 'crashed', exitCode: null, signal: 'SIGKILL' } }, 'the agent crashed (SIGKILL)'],
  [{ execution: { kind: 'crashed', exitCode: null } }, 'the agent crashed (cause unknown)'],
  [{ reason: 'server', execution: { kind: 'error', error: 'server' } }, "the model's server failed"],
  [{ result: 'succeeded', summary: 'All done.' }, ''],
  [
    {
      reason: 'invalid',
      execution: { kind: 'error', error: 'invalid' },
      summary: '/tmp/x is not in a git repository,\nso it has no worktree.',
    },
    '/tmp/x is not in a git repository, so it has no worktree.',
  ],
  [{ reason: 'invalid', execution: { kind: 'error', error: 'invalid' } }, 'the input is malformed'],
  [
    {
      reason: 'crashed',
      execution: { kind: 'crashed', exitCode: 3 },
      summary: 'The claude process ended unexpectedly with exit code 3.',
    },
    'The claude process ended unexpectedly with exit code 3.',
  ],
  [
    {
      reason: 'oom',
      execution: { kind: 'oomKilled' },
      summary: 'The claude process was killed because memory ran out.',
    },
    'The claude process was killed because memory ran out.',
  ],
  [
    { reason: 'server', execution: { kind: 'error', error: 'server' }, summary: 'API Error: 500' },
    "the model's server failed: API Error: 500",
  ],
  [
    {
      reason: 'worker-failed',
      execution: { kind: 'error', error: 'worker-failed' },
      summary: 'It is no JSON.',
    },
    'the agent left a question that cannot be read: It is no JSON.',
  ],
  // What the agent said about its work does not say why it counts as failed.
  [{ reason: 'verification_failed', summary: 'I did it.' }, 'verification failed'],
  [{ reason: 'timeout', execution: { kind: 'timedOut' }, summary: 'So far.' }, 'the time limit was reached'],
  [{ result: 'blocked', reason: 'denied', summary: 'I may not.' }, 'a required action was denied'],
  [
    { reason: 'error', execution: { kind: 'error', error: 'The disk is full.' } },
    'the agent ended with an error: The disk is full.',
  ],
])('%j: %s', (outcome, words) => {
  expect(outcomeSentence({ ...failed, ...outcome })).toBe(words);
});

it('a long explanation is cut', () => {
  const summary = 'long '.repeat(1000);
  const sentence = outcomeSentence({ ...failed, reason: 'internal', summary });
  expect(sentence.length).toBeLessThanOrEqual(500);
  expect(sentence).toMatch(/^long long .*…$/);
});

it.each<[Partial<Outcome>, string]>([
  [{}, 'the agent finished · no result reported · not verified'],
  [
    { claim: 'success', verification: 'failed' },
    'the agent finished · the agent reports success · verification failed',
  ],
  [{ execution: { kind: 'oomKilled' } }, 'the agent ran out of memory · no result reported · not verified'],
  [{ execution: { kind: 'timedOut' } }, 'the time limit was reached · no result reported · not verified'],
])('the axes of %j: %s', (outcome, words) => {
  expect(outcomeAxes({ ...failed, ...outcome })).toBe(words);
});
