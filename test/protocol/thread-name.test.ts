import { expect, it } from 'vitest';
import { ThreadName } from '../../src/protocol/thread-name.js';

it.each(['fix-login', 'A', 'v1.2_x', 'thread', 'x'.repeat(64)])('%s is a name', (name) => {
  expect(ThreadName.parse(name)).toBe(name);
});

it.each([
  '',
  '1st',
  '-a',
  'last',
  'LAST',
  '@',
  'thr_x',
  'DSP_1',
  'a b',
  'a/b',
  'é',
  'a\u202eb',
  'a\n',
  'x'.repeat(65),
])('%j is none', (name) => {
  expect(ThreadName.safeParse(name).success).toBe(false);
});
