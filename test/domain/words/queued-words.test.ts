import { expect, it } from 'vitest';
import { queuedWords } from '../../../src/domain/words/queued-words.js';

const now = Date.parse('2026-01-02T12:00:00.000');
const today = new Date('2026-01-02T14:05:00.000').toISOString();
const tomorrow = new Date('2026-01-03T07:00:00.000').toISOString();

it.each([
  [{ waitsFor: 'quota', notBefore: today, why: 'w' } as const, 'waits for quota until 14:05'],
  [{ waitsFor: 'quota', notBefore: tomorrow } as const, 'waits for quota until Sat 3 Jan, 07:00'],
  [{ notBefore: today, why: 'attempt 2 of 3' }, 'attempt 2 of 3'],
  [{}, ''],
])('%j: %s', (dispatch, words) => {
  expect(queuedWords(dispatch, now)).toBe(words);
});
