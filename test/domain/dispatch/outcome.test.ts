import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cancelledEnding,
  type Ending,
  endingOfExit,
  endingOfTurn,
  outcomeOf,
  type TurnResult,
  timedOutEnding,
  workerFailedEnding,
} from '../../../src/domain/dispatch/outcome.js';
import { type ClaimedExitCode, ExitCode, exitCodeTable } from '../../../src/protocol/exit-code.js';
import { keysOf } from '../../../src/protocol/keys.js';
import { Claim, Outcome, Verification } from '../../../src/protocol/outcome.js';
import { TurnErrorKind } from '../../../src/protocol/turn-result.js';

const done: Ending = { execution: { kind: 'completed' }, claim: 'success', verification: 'not_run' };
const crashed: Ending = { ...done, execution: { kind: 'crashed', exitCode: 1 }, claim: 'none' };
const oom: Ending = { ...done, execution: { kind: 'oomKilled' }, claim: 'none' };

const claimed = (claimedExitCode: ClaimedExitCode): Ending => ({
  ...done,
  execution: { kind: 'error', error: 'other' },
  claim: 'failure',
  claimedExitCode,
});

type Verdict = [Outcome['result'], number, string | undefined, boolean];

function verdictOf(ending: Ending): Verdict {
  const { result, exitCode, reason, retriable } = outcomeOf(ending);
  return [result, exitCode, reason, retriable];
}

describe('the three axes', () => {
  test.each<[string, Ending, Verdict]>([
    ['done', done, ['succeeded', 0, undefined, false]],
    ['done and verified', { ...done, verification: 'passed' }, ['succeeded', 0, undefined, false]],
    [
      'done, and the check says otherwise',
      { ...done, verification: 'failed' },
      ['failed', 1, 'verification_failed', true],
    ],
    ['the agent says that it failed', { ...done, claim: 'failure' }, ['failed', 1, 'failure_claimed', true]],
    ['a command claims to be blocked', claimed(2), ['blocked', 2, 'blocked_claimed', false]],
    ['a command claims that it was called wrongly', claimed(64), ['failed', 64, 'usage', false]],
    ['a command claims that its data is bad', claimed(65), ['failed', 65, 'data_error', false]],
    ['a command claims that a file is missing', claimed(66), ['failed', 66, 'no_input', false]],
    ['a command claims that a service is down', claimed(69), ['failed', 69, 'unavailable', true]],
    ['a command claims that it may work later', claimed(75), ['failed', 75, 'temp_fail', true]],
    ['a command claims that it has no right', claimed(77), ['failed', 77, 'no_permission', false]],
    ['a command claims that it is set up wrongly', claimed(78), ['failed', 78, 'config', false]],
    [
      'a question that was left counts more than a code',
      { ...claimed(75), claim: 'needs_input' },
      ['blocked', 2, 'needs_input', false],
    ],
    ['a launch is refused', { ...crashed, refusal: 'config' }, ['failed', 78, 'config', false]],
    ['nobody says anything', { ...done, claim: 'none' }, ['failed', 1, 'no_result', true]],
    [
      'nobody says anything, and the check passes',
      { ...done, claim: 'none', verification: 'passed' },
      ['succeeded', 0, undefined, false],
    ],
    ['a question is left', { ...done, claim: 'needs_input' }, ['blocked', 2, 'needs_input', false]],
    [
      'a question is left by a process that died',
      { ...crashed, claim: 'needs_input' },
      ['blocked', 2, 'needs_input', false],
    ],
    ['a required tool was denied', { ...done, deniedTools: ['Bash'] }, ['blocked', 2, 'denied', false]],
    ['it crashed', crashed, ['failed', 1, 'crashed', true]],
    ['a good result with a bad exit', { ...crashed, claim: 'success' }, ['succeeded', 0, undefined, false]],
    ['memory ran out', oom, ['failed', 1, 'oom', true]],
    ['it took too long', timedOutEnding, ['failed', 1, 'timeout', true]],
    ['it was called off', cancelledEnding, ['cancelled', 130, 'cancelled', false]],
    ['the question cannot be read', workerFailedEnding('No question.'), ['failed', 1, 'worker-failed', true]],
    ['a better reason is known', { ...crashed, reason: 'runner_lost' }, ['failed', 1, 'runner_lost', true]],
  ])('%s', (_, ending, expected) => {
    expect(verdictOf(ending)).toEqual(expected);
  });

  test('are all shown, with the last words cut and the cost', () => {
    expect(outcomeOf({ ...done, verification: 'passed', summary: 'x'.repeat(3000), costUsd: 0.5 })).toEqual({
      result: 'succeeded',
      exitCode: 0,
      retriable: false,
      execution: { kind: 'completed' },
      claim: 'success',
      verification: 'passed',
      summary: 'x'.repeat(2000),
      costUsd: 0.5,
    });
  });

  test('fold into an outcome whose exit code says the same as its result', () => {
    const anyEnding = fc.record<Ending>(
      {
        execution: fc.constantFrom<Ending['execution']>(
          { kind: 'completed' },
          { kind: 'error', error: 'other' },
          { kind: 'crashed', exitCode: null },
          { kind: 'oomKilled' },
          { kind: 'timedOut' },
          { kind: 'cancelled' },
        ),
        claim: fc.constantFrom(...Claim.options),
        verification: fc.constantFrom(...Verification.options),
        errorKind: fc.constantFrom(...TurnErrorKind.options),
        deniedTools: fc.constantFrom([], ['Bash']),
      },
      { requiredKeys: ['execution', 'claim', 'verification'] },
    );
    fc.assert(
      fc.property(anyEnding, (ending) => {
        const outcome = outcomeOf(ending);
        expect(Outcome.parse(outcome)).toEqual(outcome);
        const name = keysOf(ExitCode).find((each) => ExitCode[each] === outcome.exitCode) ?? 'success';
        const { action } = exitCodeTable[name];
        expect(outcome.result === 'succeeded').toBe(action === 'proceed');
        expect(outcome.result === 'cancelled').toBe(action === 'stop');
        if (outcome.retriable) expect(action).toMatch(/^retry/);
        if (outcome.result === 'succeeded') expect(ending.verification).not.toBe('failed');
      }),
    );
  });
});

const turn: TurnResult = {
  success: true,
  subtype: 'success',
  cost: 0.25,
  turns: 1,
  usage: null,
  stats: {
    toolCalls: 0,
    toolsByType: {},
    subAgents: 0,
    filesRead: 0,
    filesWritten: 0,
    bashCommands: 0,
    webSearches: 0,
    totalToolDurationMs: 0,
  },
  origin: 'message',
  text: 'Done.',
};

function calls(toolCalls: number, denied: number): Partial<TurnResult> {
  return {
    stats: { ...turn.stats, toolCalls },
    denials: Array.from({ length: denied }, (_, index) => ({ tool: 'Bash', toolUseId: `t${index}` })),
  };
}

describe('the last turn', () => {
  test('that went well', () => {
    expect(endingOfTurn(turn)).toEqual({ ...done, summary: 'Done.', costUsd: 0.25 });
  });

  test('that failed keeps what the runtime said', () => {
    const { text: _none, ...silent } = turn;
    const failed = {
      ...silent,
      success: false,
      cost: null,
      errorKind: 'server' as const,
      errors: ['500', 'down'],
    };
    expect(endingOfTurn(failed)).toEqual({
      execution: { kind: 'error', error: 'server' },
      claim: 'failure',
      verification: 'not_run',
      errorKind: 'server',
      summary: '500\ndown',
    });
  });

  test.each<[TurnErrorKind, Verdict]>([
    ['auth', ['failed', 77, 'auth', false]],
    ['rate_limit', ['failed', 75, 'rate_limit', true]],
    ['overloaded', ['failed', 75, 'overloaded', true]],
    ['billing', ['failed', 75, 'billing', true]],
    ['server', ['failed', 69, 'server', true]],
    ['network', ['failed', 69, 'network', true]],
    ['invalid_request', ['failed', 1, 'invalid_request', true]],
    ['max_turns', ['failed', 1, 'max_turns', true]],
    ['max_budget', ['blocked', 2, 'max_budget', false]],
    ['structured_output', ['failed', 1, 'structured_output', true]],
    ['interrupted', ['cancelled', 130, 'cancelled', false]],
    ['other', ['failed', 1, 'error', true]],
  ])('that failed with %s, even if it is called a success', (errorKind, expected) => {
    expect(verdictOf(endingOfTurn({ ...turn, success: false, errorKind }))).toEqual(expected);
    expect(verdictOf(endingOfTurn({ ...turn, errorKind }))).toEqual(expected);
  });

  test.each<[string, Partial<TurnResult>]>([
    ['errors', { errors: ['boom'] }],
    ['a subtype of error', { subtype: 'error_during_execution' }],
    ['a tool that was put off', { subtype: 'tool_deferred' }],
  ])('that is called a success and has %s', (_, more) => {
    expect(verdictOf(endingOfTurn({ ...turn, ...more }))).toEqual(['failed', 1, 'error', true]);
  });

  test.each<[string, Partial<TurnResult>, Verdict]>([
    ['and found another way', calls(3, 1), ['succeeded', 0, undefined, false]],
    ['and did nothing else', calls(2, 2), ['blocked', 2, 'denied', false]],
    ['and failed', { ...calls(3, 1), success: false }, ['blocked', 2, 'denied', false]],
    [
      'and failed for another reason',
      { ...calls(3, 1), success: false, errorKind: 'rate_limit' },
      ['failed', 75, 'rate_limit', true],
    ],
  ])('in which a tool was denied %s', (_, more, expected) => {
    expect(verdictOf(endingOfTurn({ ...turn, ...more }))).toEqual(expected);
  });
});

describe('a process that ended before the work did', () => {
  test.each([
    [
      { exitCode: 3, signal: null, oom: false },
      { kind: 'crashed', exitCode: 3 },
    ],
    [
      { exitCode: null, signal: 'SIGKILL', oom: false },
      { kind: 'crashed', exitCode: null, signal: 'SIGKILL' },
    ],
    [{ exitCode: null, signal: 'SIGKILL', oom: true }, { kind: 'oomKilled' }],
    [{ exitCode: 0, signal: null, oom: false }, { kind: 'completed' }],
  ])('%j', (exit, execution) => {
    expect(endingOfExit(exit, 'It died.')).toEqual({
      execution,
      claim: 'none',
      verification: 'not_run',
      summary: 'It died.',
    });
  });

  test('in good order is still no success', () => {
    const ending = endingOfExit({ exitCode: 0, signal: null, oom: false }, 'It left.');
    expect(verdictOf(ending)).toEqual(['failed', 1, 'no_result', true]);
  });
});
