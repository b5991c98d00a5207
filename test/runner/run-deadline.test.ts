import { expect, it } from 'vitest';
import { RunDeadline } from '../../src/runner/run-deadline.js';

/** What happens to an agent over time: looks by their time, and renewals. */
type Happening = number | { readonly renew: number };

it.each<[string, number | null, Happening[], string[]]>([
  ['without a deadline it goes on', null, [0, 1e12], ['go_on', 'go_on']],
  ['a renewal begins one', null, [0, { renew: 50 }, 49, 50], ['go_on', 'go_on', 'interrupt']],
  ['it ends at its deadline', 100, [99, 100, 101], ['go_on', 'interrupt', 'wait']],
  ['a renewal in time prolongs it', 100, [99, { renew: 200 }, 150, 200], ['go_on', 'go_on', 'interrupt']],
  ['an older renewal shortens nothing', 100, [{ renew: 50 }, 99], ['go_on']],
  ['a renewal that comes too late changes nothing', 100, [100, { renew: 9e9 }, 150], ['interrupt', 'wait']],
  [
    'what does not end is killed, once',
    100,
    [100, 10_099, 10_100, 10_101],
    ['interrupt', 'wait', 'kill', 'wait'],
  ],
  ['a machine that slept finds it past', 100, [50, 90_000, 190_000], ['go_on', 'interrupt', 'kill']],
])('%s', (_what, until, happenings, steps) => {
  const deadline = new RunDeadline(until);
  const seen = happenings.flatMap((each) =>
    typeof each === 'number' ? [deadline.look(each)] : (deadline.renew(each.renew), []),
  );
  expect(seen).toEqual(steps);
});
