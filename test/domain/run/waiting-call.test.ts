import { describe, expect, test } from 'vitest';
import { afterAsking, callToTakeUp, noCall, type WaitingCall } from '../../../src/domain/run/waiting-call.js';

const toolUseId = 'toolu_1';
const requestId = 'req_1';

describe('the call that asks again in the next run', () => {
  test.each<[string, WaitingCall, string | undefined]>([
    ['none waits', noCall, undefined],
    ['one was deferred', { state: 'parked', toolUseId, how: 'deferred' }, toolUseId],
    ['one was interrupted, which forgets it', { state: 'parked', toolUseId, how: 'interrupted' }, undefined],
    [
      'one was to be taken up and has not asked',
      { state: 'taking_up', toolUseId, hasAsked: false },
      toolUseId,
    ],
    ['one was taken up and has asked', { state: 'taking_up', toolUseId, hasAsked: true }, undefined],
    ['one was to be declined and has not asked', { state: 'declining', toolUseId }, toolUseId],
    ['one was declined', { state: 'declining', toolUseId, requestId }, undefined],
  ])('%s', (_, waiting, call) => {
    expect(callToTakeUp(waiting)).toBe(call);
  });
});

describe('a call that asks', () => {
  test('is the one that is taken up', () => {
    expect(afterAsking({ state: 'taking_up', toolUseId, hasAsked: false }, { toolUseId, requestId })).toEqual(
      {
        state: 'taking_up',
        toolUseId,
        hasAsked: true,
      },
    );
  });

  test('is the one that is declined, and its request is known from then on', () => {
    expect(afterAsking({ state: 'declining', toolUseId }, { toolUseId, requestId })).toEqual({
      state: 'declining',
      toolUseId,
      requestId,
    });
  });

  test.each<[string, WaitingCall, string | undefined]>([
    ['is another one', { state: 'taking_up', toolUseId, hasAsked: false }, 'toolu_2'],
    ['has no name', { state: 'taking_up', toolUseId, hasAsked: false }, undefined],
    ['is not the one that is declined', { state: 'declining', toolUseId }, 'toolu_2'],
    ['was let go', { state: 'parked', toolUseId, how: 'deferred' }, toolUseId],
    ['asks where none waits', noCall, toolUseId],
  ])('%s: nothing changes', (_, waiting, asked) => {
    expect(afterAsking(waiting, { toolUseId: asked, requestId })).toBe(waiting);
  });
});
