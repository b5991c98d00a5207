import { describe, expect, test } from 'vitest';
import type { RunFacts } from '../../../src/domain/run/run-facts.js';
import {
  firstFacts,
  type RunBeginning,
  unheard,
  withMessage,
  withoutSaved,
  withoutWork,
  withUnsentSent,
} from '../../../src/domain/run/run-work.js';
import { facts, resting, succeeded } from '../samples.js';

const work = { id: 'dsp_1', isKnown: true };
const unanswered = { text: { afterSeconds: 5, policy: 'deny' } } as const;
const begun = { uuid: 'm1', seq: 1 };
const followUp = { uuid: 'm2', seq: 2, isFollowUp: true };
const late = { uuid: 'm3', seq: 3, isFollowUp: true };

describe('a message on its way', () => {
  test('of new work closes the account of the last', () => {
    const before = facts({
      work: { id: 'dsp_0', isKnown: false },
      spentUsd: 3,
      lastTurn: succeeded,
      lastError: { isLogin: false, message: 'old' },
      leftFile: { state: 'unreadable', error: 'old' },
      unanswered: { approval: { afterSeconds: 1, policy: 'fail' } },
      session: { state: 'open', id: 's' },
    });
    expect(withMessage(before, { uuid: 'm1', seq: 7, work: 'dsp_1', unanswered })).toEqual(
      facts({ work, unanswered, session: { state: 'open', id: 's' }, sent: [{ uuid: 'm1', seq: 7 }] }),
    );
  });

  test('during the work leaves its account, answers a question in a file, and tells a fresh agent of the work', () => {
    const before = facts({
      work: { id: 'dsp_1', isKnown: false },
      spentUsd: 3,
      lastTurn: succeeded,
      leftFile: { state: 'question' },
    });
    expect(withMessage(before, { uuid: 'm2', seq: 2, isFollowUp: true })).toEqual(
      facts({ work, spentUsd: 3, lastTurn: succeeded, sent: [followUp] }),
    );
  });

  test('that an earlier runner took too late goes out once', () => {
    const before = facts({ work, unsent: [late, followUp] });
    expect(withMessage(before, late)).toMatchObject({ sent: [{ uuid: late.uuid }], unsent: [followUp] });
  });

  test('does not make a file readable', () => {
    const before = facts({ work, leftFile: { state: 'unreadable', error: 'why' } });
    expect(withMessage(before, begun).leftFile).toEqual({ state: 'unreadable', error: 'why' });
  });
});

test('work that is over takes what was never sent along', () => {
  const sent = [{ ...begun, isOfOverWork: true }];
  expect(withoutWork(facts({ work, unsent: [late], sent: [begun] }))).toEqual(facts({ sent }));
});

test('what was said during the work and not begun with is known, begun messages are not among it', () => {
  const lastTurn = { ...succeeded, messageUuid: 'm2' };
  expect(unheard(facts({ sent: [begun, followUp, late], lastTurn, unsent: [] }))).toEqual([late]);
  expect(unheard(facts({ sent: [begun, followUp], unsent: [late] }))).toEqual([late, followUp]);
});

test('what was unsent is sent after what is on its way', () => {
  expect(withUnsentSent(facts({ sent: [begun], unsent: [late] }))).toEqual(facts({ sent: [begun, late] }));
});

test('a follow-up that the session has saved need not be said again; the work itself is looked at otherwise', () => {
  const gone = facts({ sent: [begun, followUp, late] });
  expect(withoutSaved(gone, (uuid) => uuid !== 'm3').sent).toEqual([begun, late]);
});

describe('a run starts from', () => {
  const parked = { state: 'parked', toolUseId: 't', how: 'deferred' } as const;
  const last = facts({
    work,
    spentUsd: 2,
    sent: [begun, followUp],
    unsent: [late],
    waitingCall: parked,
    signs: resting,
    session: { state: 'open', id: 's' },
  });
  const session = { state: 'open', id: 's' } as const;

  test.each<[string, RunBeginning, RunFacts | null, boolean, RunFacts]>([
    ['nothing where there was none', { work: 'dsp_1' }, null, true, facts()],
    [
      'the account of the same work, and takes up the call that was let go',
      { work: 'dsp_1', resume: 's' },
      last,
      true,
      facts({
        session,
        work,
        spentUsd: 2,
        unsent: [late, followUp],
        waitingCall: { state: 'taking_up', toolUseId: 't', hasAsked: false },
      }),
    ],
    [
      'the same, and declines a call whose question was withdrawn',
      { work: 'dsp_1', resume: 's' },
      last,
      false,
      facts({
        session,
        work,
        spentUsd: 2,
        unsent: [late, followUp],
        waitingCall: { state: 'declining', toolUseId: 't' },
      }),
    ],
    [
      'work that its fresh agent knows nothing of, with no call to take up',
      { work: 'dsp_1', startsAfresh: true },
      last,
      true,
      facts({ work: { id: 'dsp_1', isKnown: false }, spentUsd: 2, unsent: [late, followUp] }),
    ],
    [
      'nothing for other work, but the call of its session asks all the same',
      { work: 'dsp_2', resume: 's' },
      last,
      false,
      facts({ session, waitingCall: { state: 'declining', toolUseId: 't' } }),
    ],
    ['nothing for work without a name', { resume: 's' }, facts({ work }), true, facts({ session })],
  ])('%s', (_, beginning, before, isWanted, expected) => {
    expect(firstFacts(beginning, { last: before, isWanted: () => isWanted })).toEqual(expected);
  });
});
