import { expect, it } from 'vitest';
import { type EndedLanding, settledAfter } from '../../../src/domain/landing/settled-work.js';
import { DispatchId } from '../../../src/protocol/id.js';

const dispatchId = DispatchId.parse('dsp_01k9y000000000000000000000');
const before = { how: 'apply', dispatchId } as const;
const pullRequest = 'https://github.com/ada/engine/pull/1';

it.each<[string, Partial<EndedLanding>, unknown]>([
  ['a merge', { kind: 'merge', into: 'main' }, { how: 'merge', into: 'main', dispatchId }],
  ['work in a folder', { kind: 'apply', into: '/x' }, { how: 'apply', into: '/x', dispatchId }],
  ['one that is taken back', { kind: 'apply', isUndo: true }, undefined],
  ['discarded work', { kind: 'discard' }, { how: 'discard', dispatchId }],
  ['an open pull request', { kind: 'pr', pullRequest }, before],
  [
    'a merged pull request',
    { kind: 'watch', pullRequest, isMerged: true },
    { how: 'pr', into: pullRequest, dispatchId },
  ],
  ['one that is watched no more', { kind: 'watch', pullRequest }, before],
  ['nothing to take back', { kind: 'apply', isCarriedOut: false }, before],
  ['a conflict', { kind: 'merge', state: 'conflicted' }, before],
  ['a failure', { kind: 'merge', state: 'failed' }, before],
])('%s', (_, landing, expected) => {
  const ended: EndedLanding = {
    kind: 'merge',
    state: 'done',
    isCarriedOut: true,
    isUndo: false,
    isMerged: false,
    ...landing,
  };
  expect(settledAfter(ended, { before, dispatchId })).toEqual(expected);
  expect(settledAfter(ended, { before, dispatchId: undefined })).toEqual(before);
});
