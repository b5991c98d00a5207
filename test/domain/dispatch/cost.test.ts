import { expect, test } from 'vitest';
import { costOfTries, costSoFar } from '../../../src/domain/dispatch/cost.js';
import {
  askingEnding,
  type Ending,
  outcomeOf,
  unansweredEnding,
} from '../../../src/domain/dispatch/outcome.js';
import { given } from '../../../src/protocol/given.js';

const done: Ending = { execution: { kind: 'completed' }, claim: 'success', verification: 'not_run' };
const crashed: Ending = {
  execution: { kind: 'crashed', exitCode: 1 },
  claim: 'none',
  verification: 'not_run',
};
const at = '2026-11-19T12:00:00.000Z';

const told = (ending: Ending, costUsd?: number) => outcomeOf({ ...ending, ...given({ costUsd }) });

test.each([
  [[], undefined],
  [[told(done)], undefined],
  [[told(crashed, 1), told(done, 2)], 3],
  // The try that goes on with the answer tells of both.
  [[told(askingEnding, 1), told(done, 3)], 3],
  [[told(askingEnding, 1), told(askingEnding, 3), told(crashed, 4), told(done, 1)], 5],
  [[told(askingEnding, 1)], 1],
  [[told(unansweredEnding, 2)], 2],
])('tries cost together what they say: %#', (outcomes, costUsd) => {
  expect(costOfTries(outcomes)).toBe(costUsd);
});

test('work that goes on has cost what its ended tries have, and work that is over what its outcome says', () => {
  const attempts = [
    { runIds: [], startedAt: at, endedAt: at, outcome: told(askingEnding, 1) },
    { runIds: [], startedAt: at },
  ];
  expect(costSoFar({ attempts })).toBe(1);
  expect(costSoFar({ attempts, outcome: told(done, 5) })).toBe(5);
  expect(costSoFar({ attempts, outcome: told(done) })).toBeUndefined();
});
