import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyEvent,
  foldedTypes,
  heardRequests,
  isSettled,
  isTurnOfOverWork,
  noFacts,
  RunFacts,
  withOutput,
} from '../../../src/domain/run/run-facts.js';
import type { EventBody } from '../../../src/protocol/event.js';
import { eventSamples } from '../../protocol/event-samples.js';
import { facts, resting, result, signs, succeeded, working } from '../samples.js';

const long = 'x'.repeat(5000);
const cut = 'x'.repeat(2000);
const message = { uuid: 'm1', seq: 1 };
const other = { uuid: 'm2', seq: 2 };

test.each([
  ['the turn that runs is of over work', { sent: ['over', 'new'] }, true],
  ['the turn that has its result is of over work', { sent: ['over', 'new'], of: 'over' }, true],
  ['the turn that has its result is of new work', { sent: ['over', 'new'], of: 'new' }, false],
  ['the last result is of a turn before', { sent: ['over'], of: 'earlier' }, true],
  ['the agent was woken by itself', { sent: [], of: 'earlier' }, false],
])('%s', (_, { sent, of }: { sent: string[]; of?: string }, expected) => {
  const messages = sent.map((uuid, seq) => ({
    uuid,
    seq,
    ...(uuid === 'over' ? { isOfOverWork: true } : {}),
  }));
  const lastTurn = of === undefined ? {} : { lastTurn: { ...succeeded, messageUuid: of } };
  expect(isTurnOfOverWork(facts({ sent: messages, ...lastTurn }))).toBe(expected);
});

describe('what an event makes of the facts', () => {
  test.each<[string, RunFacts, EventBody, Partial<RunFacts>]>([
    [
      'a session opens',
      facts(),
      { type: 'session_id_update', sessionId: 's' },
      { session: { state: 'open', id: 's' } },
    ],
    [
      'the agent exits',
      facts(),
      { type: 'agent_exited', exitCode: 3, signal: null, oom: false },
      { exit: { exitCode: 3, signal: null, oom: false } },
    ],
    ['the runner completes', facts(), { type: 'complete', sessionId: null }, { isOver: true }],
    ['the runner shuts down', facts(), { type: 'shutdown', reason: 'SIGTERM' }, { isOver: true }],
    [
      'an error explains an end, cut',
      facts(),
      { type: 'error', message: long },
      { lastError: { isLogin: false, message: cut } },
    ],
    [
      'so does a refusal',
      facts(),
      { type: 'error', message: 'No.', refusal: 'config' },
      { lastError: { isLogin: false, message: 'No.', refusal: 'config' } },
    ],
    [
      'so does a login',
      facts(),
      { type: 'auth_error', message: 'Sign in.' },
      { lastError: { isLogin: true, message: 'Sign in.' } },
    ],
    [
      'a turn ends with a result; its message stays until the turn is complete',
      facts({ sent: [message] }),
      result({ messageUuid: 'm1', text: long }),
      { sent: [message], spentUsd: 0.5, lastTurn: lastTurn({ messageUuid: 'm1', text: cut }) },
    ],
    [
      'the cost of turns adds up',
      facts({ spentUsd: 0.25 }),
      result({ cost: 0.5 }),
      { spentUsd: 0.75, lastTurn: lastTurn({}) },
    ],
    [
      'a turn whose cost nobody knows adds nothing',
      facts({ spentUsd: 0.25 }),
      result({ cost: null }),
      { spentUsd: 0.25, lastTurn: lastTurn({ cost: null }) },
    ],
    [
      'a turn is complete: its message is done, others are not',
      facts({ sent: [message, other], lastTurn: lastTurn({ messageUuid: 'm1' }) }),
      { type: 'turn_complete', sessionId: 's' },
      { sent: [other] },
    ],
    [
      'a request that was withdrawn is noted until its turn is complete',
      facts({}),
      { type: 'command_accepted', commandId: 'withdrawn-req_1', command: 'withdraw' },
      { withdrawn: ['req_1'] },
    ],
    [
      'and then no longer',
      facts({ withdrawn: ['req_1'] }),
      { type: 'turn_complete', sessionId: 's' },
      { withdrawn: [] },
    ],
    [
      'a result ends a decline',
      facts({ waitingCall: { state: 'declining', toolUseId: 't' } }),
      result(),
      { waitingCall: { state: 'none' }, spentUsd: 0.5, lastTurn: lastTurn({}) },
    ],
    [
      'a result leaves a call that was parked',
      facts({ waitingCall: { state: 'parked', toolUseId: 't', how: 'deferred' } }),
      result(),
      { spentUsd: 0.5, lastTurn: lastTurn({}) },
    ],
    [
      'the mode changes',
      facts(),
      { type: 'permission_mode_changed', mode: 'plan', source: 'command' },
      { mode: 'plan' },
    ],
    [
      'a call is parked',
      facts(),
      { type: 'parked', requestId: 'r', toolUseId: 't', how: 'deferred' },
      { waitingCall: { state: 'parked', toolUseId: 't', how: 'deferred' } },
    ],
    [
      'a call that is taken up asks',
      facts({ waitingCall: { state: 'taking_up', toolUseId: 'toolu_1', hasAsked: false } }),
      eventSamples.permission_request,
      { waitingCall: { state: 'taking_up', toolUseId: 'toolu_1', hasAsked: true } },
    ],
    [
      'a question is left in a file',
      facts(),
      { type: 'needs_input', question: 'Which?' },
      { leftFile: { state: 'question' } },
    ],
    [
      'a question is left by a turn whose work is over',
      facts({ sent: [{ ...message, isOfOverWork: true }, other] }),
      { type: 'needs_input', question: 'Which?' },
      {},
    ],
    [
      'a file is left that cannot be read',
      facts(),
      { type: 'needs_input', error: long },
      { leftFile: { state: 'unreadable', error: cut } },
    ],
    [
      'a message is refused',
      facts({ sent: [message, other] }),
      { type: 'command_error', command: 'message', commandId: 'm1', error: 'no' },
      { sent: [other], lastError: { isLogin: false, message: 'no' } },
    ],
    [
      'a message came too late, and is kept',
      facts({ sent: [message], unsent: [other] }),
      { type: 'command_error', command: 'message', commandId: 'm1', error: 'late', later: true },
      { sent: [], unsent: [other, message] },
    ],
    [
      'a message came too late, and its work is over',
      facts({ sent: [{ ...message, isOfOverWork: true }], unsent: [other] }),
      { type: 'command_error', command: 'message', commandId: 'm1', error: 'late', later: true },
      { sent: [] },
    ],
  ])('%s', (_, before, event, change) => {
    expect(applyEvent(before, event)).toEqual({ ...before, ...change });
  });

  test.each<[string, EventBody]>([
    ['text', { type: 'assistant_text', content: 'hi' }],
    ['the refusal of something that is no message', eventSamples.command_error],
    ['a question where no call is taken up', eventSamples.user_question_request],
  ])('%s changes nothing, and is not written', (_, event) => {
    expect(applyEvent(noFacts, event)).toBe(noFacts);
  });

  test('everything that changes facts is a type whose content is checked', () => {
    const changing = Object.values(eventSamples).filter((event) => applyEvent(started, event) !== started);
    expect(changing.map(({ type }) => type).filter((type) => !foldedTypes.has(type))).toEqual([]);
  });

  test('facts stay what the store can hold, whatever comes', () => {
    const event = fc.constantFrom(...Object.values(eventSamples));
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        const folded = events.reduce(applyEvent, started);
        expect(RunFacts.parse(JSON.parse(JSON.stringify(folded)))).toEqual(folded);
      }),
    );
  });
});

const started = facts({
  sent: [message],
  waitingCall: { state: 'taking_up', toolUseId: 'toolu_1', hasAsked: false },
});

describe('what the agent puts out', () => {
  const next = { ...message, uuid: 'next' };

  test('belongs to the oldest message whose turn has not ended', () => {
    const begun = withOutput(facts({ sent: [message, next] }));
    expect(begun.sent).toEqual([{ ...message, hasOutput: true }, next]);
    expect(withOutput(begun)).toBe(begun);
  });

  test('belongs to none where none is on its way', () => {
    expect(withOutput(noFacts)).toBe(noFacts);
  });
});

describe('an agent has nothing left to do', () => {
  test.each<[string, RunFacts, boolean]>([
    ['once its turn has ended', facts({ signs: resting }), true],
    ['before it was given anything', facts(), true],
    ['not with a message on its way', facts({ signs: resting, sent: [message] }), false],
    ['not in a turn', facts({ signs: working }), false],
    [
      'not while a background task is open',
      facts({ signs: signs('turn_started', 'background_opened', 'turn_ended') }),
      false,
    ],
    ['with messages that wait for another one', facts({ signs: resting, unsent: [message] }), true],
  ])('%s', (_, known, settled) => {
    expect(isSettled(known)).toBe(settled);
  });
});

function lastTurn(fields: Partial<EventBody<'result'>>): NonNullable<RunFacts['lastTurn']> {
  const { type: _type, usage: _usage, structuredOutput: _output, ...turn } = result(fields);
  return turn;
}

test.each<[string, RunFacts, readonly string[]]>([
  ['what was withdrawn was heard', facts({ withdrawn: ['req_1'] }), ['req_1']],
  [
    'also where another call was deferred',
    facts({ withdrawn: ['req_1'], waitingCall: { state: 'parked', toolUseId: 't', how: 'deferred' } }),
    ['req_1'],
  ],
  [
    'but not where the turn was interrupted',
    facts({ withdrawn: ['req_1'], waitingCall: { state: 'parked', toolUseId: 't', how: 'interrupted' } }),
    [],
  ],
])('%s', (_, known, expected) => {
  expect(heardRequests(known)).toEqual(expected);
});
