import { expect, it } from 'vitest';
import { actorWords } from '../../../src/domain/words/actor-words.js';

it.each([
  ['user:owner', 'owner'],
  ['pipeline:idea', 'the pipeline idea'],
  ['policy:deadline', 'the deadline'],
  ['policy:autonomous', 'the autonomous setting'],
  ['policy:grant', 'an approval for this thread'],
  ['policy:retry', 'the automatic retry'],
  ['policy:verification', 'the verification'],
  ['recorded_answer', 'an earlier answer'],
  ['somebody else', 'somebody else'],
])('%s is %s', (actor, words) => {
  expect(actorWords(actor)).toBe(words);
});
