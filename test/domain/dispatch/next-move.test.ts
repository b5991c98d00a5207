import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DispatchProgress, EndedRun } from '../../../src/domain/dispatch/dispatch-progress.js';
import { type Move, nextMove } from '../../../src/domain/dispatch/next-move.js';
import { facts, resting, runId, signs, succeeded, working } from '../samples.js';

const begun = { runIds: [] };
const sent = { runIds: [runId(1)] };
const ready = { facts: facts({ signs: resting }), isReady: true };
const message = { uuid: 'm1', seq: 1 };
const followUp = { uuid: 'm2', seq: 2, isFollowUp: true };
const lastTurn = { ...succeeded, messageUuid: 'm1' };
const died = { exitCode: null, signal: 'SIGKILL', oom: false };
const open = { isOpen: true, needsMessage: false };
const given = { isOpen: false, needsMessage: false };
const stranded = { isOpen: false, needsMessage: true };
const parked = { state: 'parked', toolUseId: 't', how: 'deferred' } as const;

const progress = (fields: Partial<DispatchProgress>): DispatchProgress => ({
  state: 'running',
  noInput: false,
  endedAsking: false,
  attempt: sent,
  run: null,
  end: null,
  prompts: [],
  ...fields,
});
const ended = (known: Parameters<typeof facts>[0], fields: Partial<EndedRun> = {}): EndedRun => ({
  facts: facts(known),
  exit: died,
  ...fields,
});

describe('the one next move', () => {
  test.each<[string, Partial<DispatchProgress>, Move['do']]>([
    ['no try is under way', { attempt: null }, 'begin_attempt'],
    ['a try without an agent', { attempt: begun }, 'launch'],
    ['a try that finds an idle agent', { attempt: begun, run: ready }, 'send'],
    [
      'a try that finds an agent whose process nobody knows yet',
      { attempt: begun, run: { ...ready, isReady: false } },
      'wait',
    ],
    [
      'a try that finds an agent which is being interrupted',
      { attempt: begun, run: { ...ready, facts: facts({ signs: working }) } },
      'wait',
    ],
    ['the agent works', { run: { ...ready, facts: facts({ signs: working }) } }, 'wait'],
    ['the message is on its way', { run: { ...ready, facts: facts({ sent: [message] }) } }, 'wait'],
    [
      'a background task is open',
      {
        run: {
          ...ready,
          facts: facts({ signs: signs('turn_started', 'background_opened', 'turn_ended'), lastTurn }),
        },
      },
      'wait',
    ],
    ['it rests and has said nothing at all', { run: ready }, 'wait'],
    ['it has a result', { run: { ...ready, facts: facts({ signs: resting, lastTurn }) } }, 'conclude'],
    ['somebody asks', { run: ready, prompts: [open] }, 'await_person'],
    ['somebody asks, and that is known', { state: 'waiting', run: ready, prompts: [open] }, 'wait'],
    [
      'somebody asks, and nobody is to be asked',
      { noInput: true, run: ready, prompts: [open] },
      'refuse_question',
    ],
    [
      'somebody asked in a file, which ends the try',
      {
        state: 'waiting',
        run: { ...ready, facts: facts({ leftFile: { state: 'question' } }) },
        prompts: [open],
      },
      'await_person',
    ],
    [
      'somebody asked in a file, and the try has ended',
      {
        state: 'waiting',
        attempt: null,
        run: { ...ready, facts: facts({ leftFile: { state: 'question' } }) },
        prompts: [open],
      },
      'wait',
    ],
    [
      'the question that ended the try was given up',
      { state: 'waiting', attempt: null, endedAsking: true, run: ready },
      'conclude',
    ],
    [
      'the answer to it begins the next try',
      { state: 'waiting', attempt: null, prompts: [stranded] },
      'begin_attempt',
    ],
    [
      'a try that begins with an answer',
      { attempt: begun, run: ready, prompts: [stranded] },
      'carry_answers',
    ],
    ['such a try without an agent', { attempt: begun, end: ended({}), prompts: [stranded] }, 'launch'],
    ['somebody asked and died', { state: 'waiting', end: ended({}), prompts: [open] }, 'wait'],
    ['an answer is there', { state: 'waiting', run: ready, prompts: [given] }, 'go_on'],
    ['an answer is on its way', { run: ready, prompts: [given] }, 'wait'],
    ['an answer has nobody who waits for it', { run: ready, prompts: [stranded] }, 'carry_answers'],
    [
      'an answer finds a runner that is ending',
      { run: { ...ready, facts: facts({ signs: resting, isOver: true }) }, prompts: [stranded] },
      'wait',
    ],
    [
      'an answer finds an agent that was just let go, whose next life hears it in its call',
      { run: { ...ready, facts: facts({ signs: resting, waitingCall: parked }) }, prompts: [stranded] },
      'wait',
    ],
    ['an answer has no agent', { state: 'waiting', end: ended({}), prompts: [stranded] }, 'launch'],
    [
      'something was said to an earlier run',
      { run: { ...ready, facts: facts({ signs: resting, unsent: [followUp] }) } },
      'send_unsent',
    ],
    [
      'the same while an old call is still to be declined',
      { run: { facts: facts({ signs: resting, unsent: [followUp] }), isReady: false } },
      'wait',
    ],
    [
      'the same to an agent whose process ends',
      {
        run: { facts: facts({ signs: resting, lastTurn, isOver: true, unsent: [followUp] }), isReady: false },
      },
      'wait',
    ],
    [
      'the same to an agent whose process has ended as it should',
      {
        end: {
          ...ended({ lastTurn, isOver: true, unsent: [followUp] }),
          exit: { exitCode: 0, signal: null, oom: false },
        },
      },
      'launch',
    ],
    [
      'an agent was parked with something said that it had not begun with',
      { end: ended({ waitingCall: parked, sent: [followUp] }) },
      'launch',
    ],
    [
      'an agent was parked and its question was withdrawn',
      { end: ended({ waitingCall: parked }) },
      'conclude',
    ],
    ['the run is gone', { end: ended({}) }, 'conclude'],
    ['the run was never seen', {}, 'conclude'],
  ])('%s → %3$s', (_, fields, move) => {
    expect(nextMove(progress(fields)).do).toBe(move);
  });
});

const ending = (end: EndedRun | null) => {
  const move = nextMove(progress({ end }));
  return move.do === 'conclude' ? move.ending : null;
};

describe('a dead run ends the try', () => {
  test.each<[string, EndedRun | null, object]>([
    [
      'by its result, if it had one before it died',
      ended({ signs: resting, sent: [message], lastTurn }),
      { claim: 'success', execution: { kind: 'completed' } },
    ],
    [
      'as a crash, if it died in the turn after it',
      ended({ signs: working, lastTurn }),
      { claim: 'none', execution: { kind: 'crashed', exitCode: null, signal: 'SIGKILL' } },
    ],
    [
      'as cut off, if its worker did not renew the lease in time',
      ended({ signs: working, isOver: true, isCutOff: true }),
      { reason: 'cut_off', execution: { kind: 'crashed', exitCode: null } },
    ],
    [
      'as out of memory',
      ended({}, { exit: { exitCode: null, signal: 'SIGKILL', oom: true } }),
      { execution: { kind: 'oomKilled' } },
    ],
    [
      'as cancelled, if we ended it',
      ended({}, { intent: 'stopped by user:owner' }),
      { execution: { kind: 'cancelled' }, reason: 'stopped by user:owner' },
    ],
    [
      'as unanswered, if its question was withdrawn while it was parked',
      ended({ waitingCall: parked, spentUsd: 2 }),
      { claim: 'needs_input', reason: 'unanswered', costUsd: 2 },
    ],
    [
      'as unanswered, if it left a question in a file that nobody answered',
      ended({ leftFile: { state: 'question' } }),
      { claim: 'needs_input', reason: 'unanswered' },
    ],
    [
      'as worker-failed, if it left a file that cannot be read',
      ended({ leftFile: { state: 'unreadable', error: 'The question is blank.' }, signs: working }),
      { reason: 'worker-failed', summary: 'The question is blank.' },
    ],
    [
      'as a login, if that is what it said last',
      ended({ lastError: { isLogin: true, message: 'Sign in.' } }),
      { errorKind: 'auth', summary: 'Sign in.' },
    ],
    [
      'with what to do about a login, where its turn says only that it was refused',
      ended({
        signs: resting,
        lastTurn: { ...lastTurn, success: false, errorKind: 'auth', errors: ['HTTP 401'] },
        lastError: { isLogin: true, message: 'Sign in.' },
      }),
      { errorKind: 'auth', summary: 'Sign in.' },
    ],
    [
      'with what it said last',
      ended({ signs: working, lastError: { isLogin: false, message: 'no disk' } }),
      { summary: 'no disk' },
    ],
    [
      'as refused, if its launch was',
      ended({ lastError: { isLogin: false, message: 'Name the program.', refusal: 'config' } }),
      { refusal: 'config', summary: 'Name the program.' },
    ],
    ['as never seen', null, { summary: 'The run was never seen.' }],
  ])('%s', (_, end, expected) => {
    expect(ending(end)).toMatchObject(expected);
  });
});

test('whatever stands, there is a move, and an open question is never concluded over', () => {
  const someFacts = fc.constantFrom(
    facts(),
    facts({ signs: resting, lastTurn }),
    facts({ signs: working }),
    facts({ waitingCall: parked, unsent: [followUp] }),
    facts({ leftFile: { state: 'question' } }),
  );
  const anything = fc.record({
    state: fc.constantFrom('running' as const, 'waiting' as const),
    noInput: fc.boolean(),
    endedAsking: fc.boolean(),
    attempt: fc.constantFrom(null, begun, sent),
    run: fc.option(fc.record({ facts: someFacts, isReady: fc.boolean() })),
    end: fc.option(fc.record({ facts: someFacts, exit: fc.constant(died) })),
    prompts: fc.array(fc.constantFrom(open, given, stranded), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(anything, (stands) => {
      const move = nextMove(stands);
      const isAsked = stands.prompts.some(({ isOpen }) => isOpen);
      if (isAsked) expect(['wait', 'await_person', 'refuse_question']).toContain(move.do);
      if (stands.prompts.some(({ needsMessage }) => needsMessage)) expect(move.do).not.toBe('conclude');
    }),
  );
});
