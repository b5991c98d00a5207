import { expect, test } from 'vitest';
import { forgetsEarlierTries } from '../../../src/domain/dispatch/session-of-try.js';

type Work = Parameters<typeof forgetsEarlierTries>[0];

const died: Work = {
  begins: 'resume',
  tries: 1,
  canResume: true,
  newest: { session: 'open', isAlive: false },
};
const neverOpened = { session: 'none', isAlive: false } as const;
const alive = { session: 'open', isAlive: true } as const;

test.each<[string, Work, boolean]>([
  ['the first try has nothing to forget', { ...died, tries: 0, begins: 'fresh' }, false],
  ['a session that is resumed knows all of it', died, false],
  ['a fresh start knows nothing', { ...died, begins: 'fresh' }, true],
  [
    'a fresh start after a process that died at once',
    { ...died, begins: 'fresh', newest: neverOpened },
    true,
  ],
  ['a fresh start on another machine', { ...died, begins: 'fresh', newest: null }, true],
  ['a session that cannot be resumed is gone with its process', { ...died, canResume: false }, true],
  ['and is there while that lives', { ...died, canResume: false, newest: alive }, false],
  [
    'an agent without sessions has its question given back',
    { ...died, begins: 'fresh', canResume: false, newest: neverOpened },
    false,
  ],
])('%s', (_, work, expected) => {
  expect(forgetsEarlierTries(work)).toBe(expected);
});
