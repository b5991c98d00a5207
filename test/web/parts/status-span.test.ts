import { expect, it } from 'vitest';
import { spansOf, totalsOf } from '../../../src/web/parts/status-span.js';

const step = (state: 'idle' | 'stopped', second: number, why = state) => ({
  at: new Date(second * 1000).toISOString(),
  report: { state, why, source: 's', confidence: 'strong' as const },
});

it('steps become spans; neighbours of one status are one, and the last lasts until now', () => {
  const spans = spansOf([step('idle', 1), step('idle', 2, 'again' as 'idle'), step('stopped', 4)], 10_000);
  expect(spans).toEqual([
    { state: 'idle', why: 'idle', from: 1000, to: 4000 },
    { state: 'stopped', why: 'stopped', from: 4000, to: 10_000 },
  ]);
  expect(totalsOf(spans)).toEqual([
    { state: 'stopped', ms: 6000 },
    { state: 'idle', ms: 3000 },
  ]);
});
