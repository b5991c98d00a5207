import { expect, test } from 'vitest';
import { freePorts, worktreeVariables } from '../../../src/domain/worktree/free-ports.js';

const range = { from: 20_000, to: 20_019 };

test.each([
  ['the first of the range', [], 10, 20_000],
  ['after the others', [{ first: 20_000, count: 10 }], 10, 20_010],
  ['before the others', [{ first: 20_010, count: 10 }], 10, 20_000],
  [
    'in a gap that is wide enough',
    [
      { first: 20_000, count: 2 },
      { first: 20_007, count: 3 },
    ],
    5,
    20_002,
  ],
  [
    'not in a gap that is too narrow',
    [
      { first: 20_007, count: 3 },
      { first: 20_000, count: 3 },
    ],
    5,
    20_010,
  ],
  ['past a range that another setting gave', [{ first: 19_995, count: 10 }], 5, 20_005],
  ['nowhere', [{ first: 20_005, count: 10 }], 10, undefined],
  ['nowhere, because the range is too small', [], 21, undefined],
])('%s', (_name, taken, count, first) => {
  expect(freePorts(count, { range, taken })).toEqual(first === undefined ? undefined : { first, count });
});

test('programs are told the first and the last', () => {
  expect(worktreeVariables({ ports: { first: 20_000, count: 10 }, source: '/repository' })).toEqual({
    WORKTREE_SOURCE: '/repository',
    WORKTREE_PORT: '20000',
    WORKTREE_PORT_LAST: '20009',
  });
  expect(worktreeVariables({ ports: undefined, source: undefined })).toEqual({});
});
