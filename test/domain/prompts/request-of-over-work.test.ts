import { expect, test } from 'vitest';
import { requestOfOverWork } from '../../../src/domain/prompts/request-of-over-work.js';
import type { ThreadPrompt } from '../../../src/domain/prompts/thread-prompt.js';
import { noCall, type WaitingCall } from '../../../src/domain/run/waiting-call.js';
import { prompt } from '../samples.js';

const toolUseId = 'toolu_1';
const declining: WaitingCall = { state: 'declining', toolUseId, requestId: 'req_2' };
const untold = prompt({ toolUseId, isUntold: true });

test.each<[string, WaitingCall, readonly ThreadPrompt[], boolean]>([
  ['a call of work that is over waits to be declined', declining, [], true],
  [
    'a prompt of another call changes nothing',
    declining,
    [prompt({ toolUseId: 'toolu_2', isUntold: true })],
    true,
  ],
  ['where its work goes on, its prompt says what it is told', declining, [untold], false],
  ['it has not asked yet', { state: 'declining', toolUseId }, [], false],
  ['another one is taken up', { state: 'taking_up', toolUseId, hasAsked: true }, [], false],
  ['none waits', noCall, [], false],
])('%s', (_, call, prompts, isDeclined) => {
  const request = { toolUseId, requestId: 'req_2', isOver: true };
  expect(requestOfOverWork(call, prompts)).toEqual(isDeclined ? request : null);
});
