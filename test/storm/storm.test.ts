// @module-tag full
import { expect, test } from 'vitest';
import { runtimeCommand } from '../harness/runtime-install.js';
import { runStorm, type StormOptions } from './storm.js';

const nothing = { violations: [], lost: 0, doubled: 0, orphans: 0 };
const chosen = process.env['STORM_SEED'];

async function storm(options: StormOptions) {
  const seed = Number(chosen ?? options.seed);
  const { violations, lost, doubled, orphans, courses, ...more } = await runStorm({ ...options, seed });
  // What is rare may not come again.
  for (const course of courses) console.log(course);
  expect({ seed, violations, lost, doubled, orphans }).toEqual({ seed, ...nothing });
  return more;
}

test('every accepted answer reaches the model exactly once, whatever is killed when', async () => {
  await storm({ prompts: 24, agents: 6, kills: 6, atOnce: 3, seed: 7 });
});

test.each(['codex', 'opencode'] as const)('and so it is with %s', async (runtime) => {
  await runtimeCommand(runtime);
  await storm({ runtime, prompts: 8, agents: 4, kills: 3, atOnce: 2, seed: 7 });
});

test.each([
  ['cold runners', false],
  ['spare runners', true],
])('agents from %s go on while their worker is killed at any moment', async (_kind, spare) => {
  const { kills, unbroken } = await storm({
    prompts: 8,
    agents: 4,
    kills: 10,
    atOnce: 4,
    victims: 'worker',
    seed: Date.now() % 2 ** 31,
    spare,
  });
  expect(unbroken).toBe(4);
  expect(Object.keys(kills)).toEqual(expect.arrayContaining(['received', 'signalled', 'spawned']));
});
