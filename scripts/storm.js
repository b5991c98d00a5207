// Real agents ask, several people answer, and worker, runners and agents are killed in between; says what was lost or doubled.
// Usage: node scripts/storm.js [--prompts 1000] [--threads 50] [--at-once 6] [--seed N] [--record FOLDER]
import { parseArgs } from 'node:util';
import { runStorm } from '../test/host/storm/storm.js';

const { values } = parseArgs({
  options: {
    prompts: { type: 'string', default: '1000' },
    threads: { type: 'string', default: '50' },
    'at-once': { type: 'string', default: '6' },
    record: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const [prompts = 0, threads = 0, atOnce = 0, seed = 0] = [
  values.prompts,
  values.threads,
  values['at-once'],
  values.seed,
].map(Number);
if (![prompts, threads, atOnce, seed].every(Number.isInteger)) {
  console.error('storm: --prompts, --threads, --at-once and --seed take whole numbers.');
  process.exit(64);
}

// What was started outlives this script unless it is ended, so a signal ends the run first.
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupted.abort());

console.log(`${prompts} prompts, ${threads} threads, seed ${seed}`);
const { table, lost, doubled, orphans, violations } = await runStorm({
  prompts,
  threads,
  atOnce,
  seed,
  signal: interrupted.signal,
  ...(values.record === undefined ? {} : { record: values.record }),
  progress: (line) => console.log(line),
});

console.log('\n| what | count |\n| --- | --- |');
for (const [what, count] of Object.entries({ ...table, lost, doubled, orphans }))
  console.log(`| ${what} | ${count} |`);
console.log(`\n${violations.length} violations`);
for (const violation of violations) console.log(`- ${violation}`);
process.exitCode = violations.length > 0 ? 1 : 0;
