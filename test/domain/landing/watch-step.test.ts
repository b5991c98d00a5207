import { expect, test } from 'vitest';
import type { RequestNews, SeenRequest } from '../../../src/domain/landing/seen-request.js';
import { watchStep } from '../../../src/domain/landing/watch-step.js';
import { newsMessage, roundsQuestion } from '../../../src/domain/landing/watch-words.js';

const now = Date.parse('2026-01-02T03:00:00.000Z');
const at = new Date(now).toISOString();
const check: RequestNews = { kind: 'check', key: 'check a1 test', name: 'test', url: 'https://ci.example/1' };
const remark: RequestNews = {
  kind: 'remark',
  key: 'line 7',
  author: 'ada',
  place: 'src/a.ts:12',
  body: 'Why?\nSay so.',
};
const open: SeenRequest = { state: 'OPEN', isPending: false, news: [check, remark] };
const watch = { told: [], rounds: 0, limit: 3 };

test.each([
  ['it was merged', { ...open, state: 'MERGED' as const }, watch, { do: 'end', why: 'merged' }],
  ['it was closed', { ...open, state: 'CLOSED' as const }, watch, { do: 'end', why: 'closed' }],
  [
    'nothing is new',
    open,
    { ...watch, told: [check.key, remark.key], newsSince: at },
    { do: 'wait', newsSince: undefined },
  ],
  ['something is new', open, watch, { do: 'tell', news: [check, remark] }],
  ['only what was not told', open, { ...watch, told: [check.key] }, { do: 'tell', news: [remark] }],
  ['checks are under way', { ...open, isPending: true }, watch, { do: 'wait', newsSince: at }],
  [
    'they are for less than an hour',
    { ...open, isPending: true },
    { ...watch, newsSince: '2026-01-02T02:00:01.000Z' },
    { do: 'wait', newsSince: '2026-01-02T02:00:01.000Z' },
  ],
  [
    'they are for an hour',
    { ...open, isPending: true },
    { ...watch, newsSince: '2026-01-02T02:00:00.000Z' },
    { do: 'tell', news: [check, remark] },
  ],
  ['the rounds are used up', open, { ...watch, rounds: 3 }, { do: 'ask', news: [check, remark] }],
  [
    'the rounds are used up, and nothing is new',
    { ...open, news: [] },
    { ...watch, rounds: 3 },
    { do: 'wait', newsSince: undefined },
  ],
])('%s', (_name, seen, progress, step) => {
  expect(watchStep({ seen, watch: progress, now })).toEqual(step);
});

test('no more than twenty at once', () => {
  const news = Array.from({ length: 50 }, (_, index) => ({ ...check, key: `check a1 ${index}` }));
  expect(watchStep({ seen: { ...open, news }, watch, now })).toEqual({ do: 'tell', news: news.slice(0, 20) });
});

test('what the agent and the person read', () => {
  const url = 'https://github.com/ada/engine/pull/1';
  const message = newsMessage(url, { news: [check, remark], words: 'Only the test.' });
  expect(message.split('\n\n').slice(1)).toEqual([
    'Your user says: Only the test.',
    '1. The check "test" failed. https://ci.example/1',
    '2. ada wrote about src/a.ts:12:\n> Why?\n> Say so.',
  ]);
  expect(message).toContain('Do not push');
  expect(roundsQuestion(url, { rounds: 1, news: [check] })).toEqual({
    question: `${url} is not done after 1 round with the agent. Should it go on?`,
    context: 'The check "test" failed. https://ci.example/1',
  });
});
