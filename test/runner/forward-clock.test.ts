import { expect, it } from 'vitest';
import { applyEvidence, noSigns } from '../../src/domain/status/agent-signs.js';
import { arbitrate } from '../../src/domain/status/status-arbiter.js';
import { forwardClock } from '../../src/runner/forward-clock.js';
import type { RuntimeFact } from '../../src/runtimes/runtime.js';
import { WorkEvidence } from '../../src/runtimes/work-evidence.js';

const hour = 3_600_000;

it.each([
  ['an hour back', -hour],
  ['an hour ahead', hour],
])('a turn that ends after the clock was set %s is over', (_, step) => {
  let now = Date.parse('2026-11-17T12:00:00.000Z');
  const evidence = new WorkEvidence(
    'claude',
    forwardClock(() => now),
  );
  const tool = { id: 't', tool: 'Bash' };
  const told = (facts: readonly object[]) => facts.flatMap((fact) => evidence.ofFact(fact as RuntimeFact));
  const before = told([
    { type: 'turn_started', origin: 'message' },
    { type: 'tool_start', ...tool },
  ]);
  now += step;
  const after = told([{ type: 'tool_end', ...tool }, { type: 'turn_ended' }]);
  const run = { messagesPending: false, startedAt: '2026-11-17T12:00:00.000Z' };
  const status = (all: typeof before) =>
    arbitrate({ run: { ...run, signs: all.reduce(applyEvidence, noSigns) }, end: null, prompt: null }).state;
  expect([status(before), status([...before, ...after])]).toEqual(['busy', 'idle']);
});
