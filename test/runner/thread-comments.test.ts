import { expect, test } from 'vitest';
import type { EventBody } from '../../src/protocol/event.js';
import { type AgentsView, mostComments } from '../../src/protocol/review-comment.js';
import { ThreadComments } from '../../src/runner/thread-comments.js';

const at = '2026-01-02T03:04:05.000Z';
const said = { file: 'a.ts', line: 1, body: 'Why?' };
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const comment = (number: number, author: string): AgentsView => ({
  ...said,
  id: id(number),
  side: 'new',
  author,
  state: 'open',
  createdAt: at,
});

function open() {
  let made = 0;
  const events: EventBody[] = [];
  const comments = new ThreadComments((event) => events.push(event), {
    now: () => Date.parse(at),
    newUuid: () => id((made += 1)),
  });
  return { comments, events };
}

test('an own comment is told, and listed before and after the worker tells it back', async () => {
  const { comments, events } = open();
  expect(await comments.add(said)).toEqual({ comment: comment(1, 'agent') });
  expect(events).toEqual([{ type: 'review_comment_added', id: id(1), ...said }]);
  const other = comment(9, 'user:owner');
  // Told for another reason, before the worker had read of the own one.
  comments.tell([other]);
  expect(await comments.list()).toEqual({ comments: [other, comment(1, 'agent')], unreadable: 0 });
  comments.tell([other, comment(1, 'agent')]);
  expect(await comments.list()).toEqual({ comments: [other, comment(1, 'agent')], unreadable: 0 });
});

test('what a person removed is gone', async () => {
  const { comments } = open();
  await comments.add(said);
  comments.tell([comment(1, 'agent')]);
  comments.tell([]);
  expect(await comments.list()).toEqual({ comments: [], unreadable: 0 });
});

test('a thread that is full takes no more, and the agent hears it', async () => {
  const { comments, events } = open();
  comments.tell(Array.from({ length: mostComments }, (_, index) => comment(index + 1, 'agent')));
  await expect(comments.add(said)).rejects.toThrow('takes no more');
  expect(events).toEqual([]);
});
