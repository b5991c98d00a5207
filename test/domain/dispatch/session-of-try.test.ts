import { expect, test } from 'vitest';
import { type Forgotten, forgottenBy } from '../../../src/domain/dispatch/session-of-try.js';

type Work = Parameters<typeof forgottenBy>[0];

const died: Work = {
  begins: 'resume',
  tries: 1,
  isUnderWay: false,
  hasUntold: false,
  canResume: true,
  newest: { session: 'open', isAlive: false },
};
const neverOpened = { session: 'none', isAlive: false } as const;
const alive = { session: 'open', isAlive: true } as const;
const cannotResume: Work = { ...died, canResume: false };
const noSessions: Work = { ...cannotResume, newest: neverOpened };

test.each<[string, Work, Forgotten]>([
  ['the first try has nothing to forget', { ...died, tries: 0, begins: 'fresh' }, 'nothing'],
  ['a session that is resumed knows all of it', died, 'nothing'],
  ['a fresh start knows nothing', { ...died, begins: 'fresh' }, 'everything'],
  [
    'a fresh start after a process that died at once',
    { ...died, begins: 'fresh', newest: neverOpened },
    'everything',
  ],
  ['a fresh start on another machine', { ...died, begins: 'fresh', newest: null }, 'everything'],
  [
    'a try that began afresh resumes its own session',
    { ...died, begins: 'fresh', isUnderWay: true },
    'nothing',
  ],
  ['a session that cannot be resumed is gone with its process', cannotResume, 'everything'],
  ['also when that dies within a try', { ...cannotResume, isUnderWay: true }, 'everything'],
  ['and is there while that lives', { ...cannotResume, newest: alive }, 'nothing'],
  ['an agent without sessions has its last question given back', noSessions, 'last_answer'],
  ['whatever the try', { ...noSessions, begins: 'fresh' }, 'last_answer'],
  ['and while its runner lives', { ...noSessions, newest: { ...neverOpened, isAlive: true } }, 'last_answer'],
  ['but not within a try', { ...noSessions, isUnderWay: true }, 'nothing'],
  ['and not where another answer begins its next life', { ...noSessions, hasUntold: true }, 'nothing'],
  ['which a new session is told with the others', { ...cannotResume, hasUntold: true }, 'everything'],
])('%s', (_, work, expected) => {
  expect(forgottenBy(work)).toBe(expected);
});
