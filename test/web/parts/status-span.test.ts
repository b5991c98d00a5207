import { expect, it } from 'vitest';
import { statusMarks } from '../../../src/domain/status/status-mark.js';
import { spansOf, totalsOf } from '../../../src/web/parts/status-span.js';

const step = (state: 'idle' | 'stopped', second: number, why = state) => ({
  at: new Date(second * 1000).toISOString(),
  report: { state, why, source: 's', confidence: 'strong' as const },
});

it('steps become spans; neighbours of one status are one, and the last lasts until now', () => {
  const spans = spansOf([step('idle', 1), step('idle', 2, 'again' as 'idle'), step('stopped', 4)], 10_000);
  expect(spans).toEqual([
    { mark: statusMarks.idle, why: 'idle', from: 1000, to: 4000 },
    { mark: statusMarks.stopped, why: 'stopped', from: 4000, to: 10_000 },
  ]);
  expect(totalsOf(spans)).toEqual([
    { mark: statusMarks.stopped, ms: 6000 },
    { mark: statusMarks.idle, ms: 3000 },
  ]);
});
