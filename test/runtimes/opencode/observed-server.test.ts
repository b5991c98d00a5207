import { expect, test } from 'vitest';
import { serverSessions } from '../../../src/runtimes/opencode/observed-server.js';

const now = Date.UTC(2026, 0, 1);
const time = { updated: now - 1000 };
const answers = {
  sessions: [
    { id: 'a', title: 'A', directory: '/work', time },
    { id: 'sub', title: 'Sub', parentID: 'a', time },
    { id: 'b', title: 'B', time },
    { id: 'old', title: 'Old', time: { updated: 0 } },
    { id: 7 },
  ],
  statuses: { b: { type: 'busy' } },
  permissions: [],
  questions: [],
};

test('those that are of interest, each with what it does', () => {
  expect(serverSessions(answers, now)).toEqual([
    { sessionId: 'a', title: 'A', workspace: '/work', fact: 'said_idle' },
    { sessionId: 'b', title: 'B', fact: 'said_busy' },
  ]);
});

test.each<[string, object, object]>([
  [
    'a permission that a sub-agent asks for',
    {
      permissions: [{ sessionID: 'sub', permission: 'bash', patterns: ['ls'], metadata: { command: 'ls' } }],
    },
    { fact: 'said_asking', asked: 'bash ls?' },
  ],
  [
    'a question',
    { questions: [{ sessionID: 'a', questions: [{ question: 'Which?' }] }] },
    { fact: 'said_asking', asked: 'Which?' },
  ],
  [
    'a retry',
    { statuses: { a: { type: 'retry', attempt: 3 } } },
    { fact: 'said_busy', retry: { attempt: 3 } },
  ],
  ['nonsense', { statuses: 7, permissions: 'x', questions: null }, { fact: 'said_idle' }],
])('%s', (_, more, doing) => {
  expect(serverSessions({ ...answers, ...more }, now).find(({ sessionId }) => sessionId === 'a')).toEqual({
    sessionId: 'a',
    title: 'A',
    workspace: '/work',
    ...doing,
  });
});
