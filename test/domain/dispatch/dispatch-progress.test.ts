import { describe, expect, test } from 'vitest';
import {
  needsMessage,
  type ProgressRun,
  type ProgressSources,
  progressOf,
  promptsOf,
} from '../../../src/domain/dispatch/dispatch-progress.js';
import type { ThreadPrompt } from '../../../src/domain/prompts/thread-prompt.js';
import {
  accepted,
  answerUuid,
  askAgainUuid,
  at,
  delivered,
  dispatchId,
  facts,
  prompt,
  promptId,
  runId,
  signs,
  succeeded,
  working,
} from '../samples.js';

const now = Date.parse(at(30));
const run = (fields: Partial<ProgressRun> = {}): ProgressRun => ({
  id: runId(1),
  startedAt: at(0),
  facts: facts({ signs: working }),
  isStarted: true,
  ...fields,
});
/** An answer to a question that was left in a file. */
const inFile = () => {
  const { requestId: _none, toolUseId: _neither, ...left } = accepted();
  return left;
};
const messages = { answerUuid, askAgainUuid, hasSecret: () => false };
const takingUp = { state: 'taking_up', toolUseId: 'toolu_1', hasAsked: false } as const;
const alive = signs('sign_of_life');
const next = (fields: Parameters<typeof facts>[0], id = 2) => run({ id: runId(id), facts: facts(fields) });

describe('an answer needs a message', () => {
  test.each<[string, ThreadPrompt, ProgressRun | null, boolean]>([
    ['not while nobody has answered', prompt(), null, false],
    ['when no agent lives', accepted(), null, true],
    ['not when its call waits in the run that lives', accepted(), run(), false],
    ['when the turn of that call has ended', accepted(), run({ facts: facts() }), true],
    ['when another run lives', accepted(), run({ id: runId(2) }), true],
    ['also when it was delivered to one that died with it', delivered(), run({ id: runId(2) }), true],
    [
      'not while its call is about to ask again',
      accepted(),
      next({ waitingCall: takingUp, signs: alive }),
      false,
    ],
    [
      'not while the session of that call is still starting',
      accepted(),
      next({ waitingCall: takingUp }),
      false,
    ],
    [
      'when a turn has ended and the call has not asked',
      accepted(),
      next({ waitingCall: takingUp, lastTurn: succeeded }),
      true,
    ],
    [
      'when another call is taken up',
      accepted({ toolUseId: 'toolu_9' }),
      next({ waitingCall: takingUp, signs: alive }),
      true,
    ],
    [
      'when its call is declined',
      accepted(),
      next({ waitingCall: { state: 'declining', toolUseId: 'toolu_1' } }),
      true,
    ],
    [
      'not when one is on its way',
      accepted(),
      next({ sent: [{ uuid: answerUuid(promptId(1)), seq: 3 }] }),
      false,
    ],
    ['when it was asked in a file', inFile(), run(), true],
  ])('%s', (_, given, living, expected) => {
    expect(needsMessage(given, { run: living, now, ...messages })).toBe(expected);
  });

  test('once a call that was to ask again has not done so for a minute', () => {
    const living = next({ waitingCall: takingUp, signs: alive });
    expect(needsMessage(accepted(), { run: living, now: Date.parse(at(60)), ...messages })).toBe(false);
    expect(needsMessage(accepted(), { run: living, now: Date.parse(at(62)), ...messages })).toBe(true);
  });
});

describe('a secret that waits in memory', () => {
  const secret = prompt({
    questions: [{ question: 'The password?', multiSelect: false, isSecret: true, options: [] }],
  });
  const given = { ...messages, hasSecret: () => true };

  test.each<[string, ProgressRun | null, boolean]>([
    ['starts an agent that is gone', null, true],
    ['goes into the call that waits', run(), false],
    ['waits for a call that asks again by itself', next({ waitingCall: takingUp, signs: alive }), false],
    ['makes an agent ask again whose call is gone', next({ signs: working }), true],
    ['makes it ask once', next({ sent: [{ uuid: askAgainUuid(promptId(1), runId(2)), seq: 3 }] }), false],
    [
      'makes it ask again in every life',
      next({ sent: [{ uuid: askAgainUuid(promptId(1), runId(2)), seq: 3 }] }, 3),
      true,
    ],
  ])('%s', (_, living, expected) => {
    expect(needsMessage(secret, { run: living, now, ...given })).toBe(expected);
  });

  test('lets the work go on, as an answer does', () => {
    const dispatch = {
      id: dispatchId(1),
      state: 'waiting',
      noInput: false,
      attempts: [{ startedAt: at(5), runIds: [runId(1)] }],
    } as const;
    const sources = { dispatch, run: null, end: null, prompts: [secret], now };
    expect(progressOf({ ...sources, ...messages }).prompts).toEqual([{ isOpen: true, needsMessage: false }]);
    expect(progressOf({ ...sources, ...given }).prompts).toEqual([{ isOpen: false, needsMessage: true }]);
  });
});

describe('the progress of a dispatch', () => {
  const sources = (fields: Partial<ProgressSources> = {}): ProgressSources => ({
    dispatch: {
      id: dispatchId(1),
      state: 'running',
      noInput: false,
      attempts: [{ startedAt: at(5), runIds: [runId(1)] }],
    },
    run: run(),
    end: null,
    prompts: [],
    now,
    ...messages,
    ...fields,
  });

  test('has the try that is under way, and none once it has ended', () => {
    const tried = { startedAt: at(1), endedAt: at(2), runIds: [] };
    const next = { startedAt: at(5), runIds: [runId(3)] };
    const progresses = [[], [tried], [tried, next]].map((attempts) =>
      progressOf(sources({ dispatch: { id: dispatchId(1), state: 'running', noInput: false, attempts } })),
    );
    expect(progresses.map(({ attempt }) => attempt)).toEqual([null, null, next]);
  });

  test('leaves out what an earlier dispatch was answered', () => {
    const old = accepted({ id: promptId(9), createdAt: at(4) });
    const mine = accepted({ createdAt: at(6) });
    const questions = [{ question: 'Go on?', multiSelect: false, options: [], byWorker: true as const }];
    const own = { ...mine, questions };
    expect(promptsOf(sources({ prompts: [old, mine, own] }))).toEqual([mine]);
  });

  test('has what was asked in its work, whatever the clocks say', () => {
    const slow = accepted({ work: dispatchId(1), createdAt: at(4) });
    const fast = accepted({ id: promptId(9), work: dispatchId(2), createdAt: at(6) });
    expect(promptsOf(sources({ prompts: [slow, fast] }))).toEqual([slow]);
  });

  test.each<[string, ProgressRun, boolean]>([
    ['its process is not known', run({ isStarted: false }), false],
    ['it works', run(), true],
    ['its runner has reported its own end', next({ isOver: true }), false],
    [
      'a call of earlier work was let go, and with it the process',
      next({ waitingCall: { state: 'parked', toolUseId: 't', how: 'deferred' } }),
      false,
    ],
    [
      'an old call is still to be declined',
      next({ waitingCall: { state: 'declining', toolUseId: 't' } }),
      false,
    ],
    [
      'the old call never came',
      next({ waitingCall: { state: 'declining', toolUseId: 't' }, signs: alive }),
      true,
    ],
  ])('says whether a message can be given to the agent: %s', (_, living, isReady) => {
    const later = Date.parse(at(1)) + 61_000;
    expect(progressOf(sources({ run: living, now: later })).run?.isReady).toBe(isReady);
  });
});
