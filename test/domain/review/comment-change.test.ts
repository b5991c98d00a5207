import { expect, test } from 'vitest';
import { editedComment, isUnsent } from '../../../src/domain/review/comment-change.js';
import type { ReviewComment } from '../../../src/protocol/review-comment.js';
import { aComment } from './comment-sample.js';

const by = { actor: 'user:owner', at: '2026-01-02T03:09:00.000Z' };
const sent = { sentAt: '2026-01-02T03:05:00.000Z' };

test.each<[string, Partial<ReviewComment>, Parameters<typeof editedComment>[1], Partial<ReviewComment>]>([
  ['nothing changes nothing', sent, {}, sent],
  ['the same words change nothing', sent, { body: 'Why?' }, sent],
  ['new words have to be sent again', sent, { body: 'How?' }, { body: 'How?', editedAt: by.at }],
  [
    'resolved is who resolved it and when',
    sent,
    { state: 'resolved' },
    { ...sent, state: 'resolved', resolvedAt: by.at, resolvedBy: by.actor },
  ],
  [
    'open again is as if it never was',
    { state: 'resolved', resolvedAt: by.at, resolvedBy: 'user:other' },
    { state: 'open' },
    { state: 'open' },
  ],
  [
    'anybody resolves what the agent wrote',
    { author: 'agent' },
    { state: 'resolved' },
    { author: 'agent', state: 'resolved', resolvedAt: by.at, resolvedBy: by.actor },
  ],
])('%s', (_, before, edit, after) => {
  expect(editedComment(aComment(before), edit, by)).toEqual(aComment(after));
});

test.each([
  ['agent', 'Only the agent can change the words of this comment.'],
  ['user:phone', 'Only phone can change the words of this comment.'],
])('nobody changes the words of %s', (author, sentence) => {
  expect(() => editedComment(aComment({ author }), { body: 'Fine.' }, by)).toThrow(sentence);
});

test.each([
  ['a new one', {}, true],
  ['a sent one', sent, false],
  ['a resolved one', { state: 'resolved' }, false],
  ['one of the agent', { author: 'agent' }, false],
] as const)('%s waits to be sent: %#', (_, comment, waits) => {
  expect(isUnsent(aComment(comment))).toBe(waits);
});
