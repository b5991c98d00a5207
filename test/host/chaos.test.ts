import { expect, test } from 'vitest';
import { runChaos } from './chaos/chaos.js';

test.each([
  ['cold runners', false],
  ['spare runners', true],
])('agents from %s go on while their worker is killed at any moment', async (_kind, spare) => {
  const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 2 ** 31);
  const summary = await runChaos({ agents: 3, kills: 10, seed, spare });
  const { violations, lost, doubled, orphans } = summary;
  expect({ seed, violations, lost, doubled, orphans }).toEqual({
    seed,
    violations: [],
    lost: 0,
    doubled: 0,
    orphans: 0,
  });
  expect(Object.keys(summary.kills).toSorted()).toEqual(
    expect.arrayContaining(['received', 'signalled', 'spawned']),
  );
});
