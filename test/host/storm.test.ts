import { expect, test } from 'vitest';
import { runStorm } from './storm/storm.js';

test('every accepted answer reaches the model exactly once, whatever is killed when', async () => {
  const seed = Number(process.env['STORM_SEED'] ?? 7);
  const { violations, lost, doubled, orphans } = await runStorm({ prompts: 24, threads: 6, seed, atOnce: 3 });
  expect({ seed, violations, lost, doubled, orphans }).toEqual({
    seed,
    violations: [],
    lost: 0,
    doubled: 0,
    orphans: 0,
  });
});
