import { expect, test } from 'vitest';
import { agentComment } from '../../../src/domain/review/agent-comment.js';
import { aComment } from './comment-sample.js';

const { id, threadId, file, line, body, createdAt } = aComment();
const said = { type: 'review_comment_added', id, file, line, body } as const;
const place = { threadId, at: createdAt };

test('what an agent reports is a comment of the agent, whoever it says it is', () => {
  const report = { ...said, author: 'user:owner', state: 'resolved', sentAt: createdAt };
  expect(agentComment(report, place)).toMatchObject({ author: 'agent', state: 'open' });
  expect(agentComment(said, place)).toEqual(aComment({ author: 'agent' }));
});

test.each([
  ['no line', { ...said, line: 0 }],
  ['no words', { ...said, body: ' ' }],
  ['too many words', { ...said, body: 'x'.repeat(10_001) }],
  ['a file elsewhere', { ...said, file: '../../etc/passwd' }],
  ['an absolute path', { ...said, file: '/etc/passwd' }],
])('%s is no comment', (_, report) => {
  expect(agentComment(report, place)).toBeNull();
});
