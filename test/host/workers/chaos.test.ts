// @module-tag full
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chaos } from './chaos.js';

// A larger one: npm run chaos:postgres
const {
  CHAOS_DISPATCHES = '40',
  CHAOS_BLOWS = '7',
  // The same course for everybody who runs the suite; others are drawn by `npm run chaos:postgres`.
  CHAOS_SEED = '1894765034',
  CHAOS_RECORDS = join(tmpdir(), `chaos-${CHAOS_SEED}`),
} = process.env;

it('whatever is killed or cut off of three workers and their database, work ends once and answers are delivered once', async () => {
  const seed = Number(CHAOS_SEED);
  const { counts, violations, ground } = await chaos({
    dispatches: Number(CHAOS_DISPATCHES),
    blows: Number(CHAOS_BLOWS),
    seed,
    records: CHAOS_RECORDS,
  });
  console.log(`seed ${seed}, ${ground}\n| what | count |\n| --- | --- |`);
  for (const [what, count] of Object.entries(counts)) console.log(`| ${what} | ${count} |`);
  if (violations.length > 0) console.log(`The records are in ${CHAOS_RECORDS}`);
  expect(violations, `seed ${seed}`).toEqual([]);
  expect(counts['ended exactly once']).toBe(counts['pieces of work']);
});
