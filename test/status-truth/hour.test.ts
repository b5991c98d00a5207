// What is published against what is true, over hours that a script has made up: thousands of transitions, late and repeated
// events, kills, clocks that are set. The figures are in docs/status.md: npm run status-truth.
import { expect, test } from 'vitest';
import { dialects } from './dialects.js';
import { ScriptedHour } from './hour.js';

const seeds = Array.from({ length: 3 }, (_, index) => index + 1);

test.each(Object.keys(dialects))(
  '%s: no status contradicts the truth for longer than one event',
  (runtime) => {
    for (const seed of seeds) {
      const verdict = new ScriptedHour(runtime, seed).run();
      expect(verdict.wrong, `seed ${seed}`).toEqual([]);
      expect(verdict.longest).toBeLessThanOrEqual(1);
      expect(verdict.transitions).toBeGreaterThan(1000);
      expect(verdict.kills).toBeGreaterThan(100);
      for (const count of [verdict.late, verdict.again, verdict.jumps]) expect(count).toBeGreaterThan(100);
    }
  },
);

test('a runner whose clock goes back is found out', () => {
  const verdict = new ScriptedHour('claude', 1, { forward: (now) => now }).run();
  expect(verdict.wrong.length).toBeGreaterThan(100);
});
