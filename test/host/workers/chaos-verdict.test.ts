import { expect, test } from 'vitest';
import { type ChaosEvidence, judge } from './chaos-verdict.js';

const fine: ChaosEvidence = {
  key: 'w',
  kind: 'acts',
  threads: ['thr_1'],
  result: 'succeeded',
  reason: undefined,
  ends: 1,
  losses: 0,
  cutInTry: 0,
  lostAtGate: 0,
  limits: 0,
  acts: [[1, 1]],
  heard: [],
  tokens: [],
};
const givenUp = { result: 'failed', reason: 'worker_lost' } as const;
const asked: ChaosEvidence = { ...fine, kind: 'asks', heard: ['Red, token-1.'], tokens: ['token-1'] };

test.each<[string, ChaosEvidence, readonly string[]]>([
  ['work that ended once', fine, []],
  ['an answer that was heard once', asked, []],
  [
    'work done again because its worker was lost',
    {
      ...fine,
      losses: 1,
      acts: [
        [1, 1],
        [2, 2],
      ],
    },
    [],
  ],
  ['work that was given up with its third worker', { ...fine, ...givenUp, losses: 3 }, []],
  ['work that was given up too early', { ...fine, ...givenUp, losses: 1 }, ['w is failed']],
  ['work at a usage limit', { ...fine, kind: 'limited', acts: [], limits: 1 }, []],
  [
    'work that was to reach a usage limit and did not',
    { ...fine, kind: 'limited', acts: [] },
    ['w reached no usage limit'],
  ],
  [
    'work that lost its worker with the usage limit that it had reached',
    { ...fine, kind: 'limited', acts: [], losses: 1 },
    [],
  ],
  [
    'work that acted at an open gate and then lost its worker',
    {
      ...fine,
      kind: 'gated',
      losses: 2,
      lostAtGate: 1,
      acts: [
        [2, 2],
        [3, 3],
      ],
    },
    [],
  ],
  [
    'work that acted twice although it lost its worker only at a closed gate',
    {
      ...fine,
      kind: 'gated',
      losses: 1,
      lostAtGate: 1,
      acts: [
        [2, 2],
        [3, 3],
      ],
    },
    ['w acted 2 times'],
  ],
  [
    'work that was begun twice',
    { ...fine, threads: ['thr_1', 'thr_2'], ends: 2 },
    ['w was begun 2 times', 'w ended 2 times'],
  ],
  ['work that ended twice', { ...fine, ends: 2 }, ['w ended 2 times']],
  ['work that never ended', { ...fine, ends: 0, result: undefined }, ['w ended 0 times', 'w is not ended']],
  ['work that did nothing', { ...fine, acts: [] }, ['w did nothing']],
  [
    'an agent that was cut off and acts nevertheless',
    {
      ...fine,
      kind: 'gated',
      losses: 1,
      lostAtGate: 1,
      acts: [
        [1, 2],
        [2, 2],
      ],
    },
    ['w: life 1 of its agent acted although life 2 had begun', 'w acted 2 times'],
  ],
  [
    'work done twice although no worker was lost',
    {
      ...fine,
      acts: [
        [1, 1],
        [2, 2],
      ],
    },
    ['w acted 2 times'],
  ],
  [
    'an answer that is told again because the agent that had heard it was cut off',
    {
      ...asked,
      cutInTry: 1,
      heard: ['token-1', 'token-1'],
      acts: [
        [1, 1],
        [2, 2],
      ],
    },
    [],
  ],
  [
    'work that is given up with two workers and an agent that was cut off',
    { ...fine, ...givenUp, losses: 2, cutInTry: 1 },
    ['w is failed'],
  ],
  ['a question without an answer', { ...asked, tokens: [] }, ['w: no answer was accepted']],
  ['an answer that is lost', { ...asked, heard: [''] }, ['w: the accepted answer token-1 was never heard']],
  [
    'an answer that is delivered twice',
    { ...asked, heard: ['token-1', 'token-1'] },
    ['w: the answer token-1 was delivered 2 times'],
  ],
])('%s', (_name, evidence, violations) => {
  expect(judge(evidence)).toEqual(violations);
});
