// Real agents work and ask, several people answer, and workers, runners and agents are killed in between; says what was lost,
// doubled or left behind. With --victims worker only workers are killed, and every agent lives through it all.
// Usage: node scripts/storm.js [--runtime claude|codex|opencode|acp:claude-agent-acp] [--prompts 500] [--agents 40] [--kills 100] [--at-once 6]
//        [--victims all|killed|worker] [--no-spare] [--seed N] [--record FOLDER]
import { parseArgs } from 'node:util';
import { runStorm } from '../test/storm/storm.js';
import { stormRuntimes } from '../test/storm/storm-runtimes.js';

const { values } = parseArgs({
  allowNegative: true,
  options: {
    runtime: { type: 'string', default: 'claude' },
    prompts: { type: 'string', default: '500' },
    agents: { type: 'string', default: '40' },
    kills: { type: 'string', default: '100' },
    'at-once': { type: 'string', default: '6' },
    victims: { type: 'string', default: 'all' },
    spare: { type: 'boolean' },
    record: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const { runtime, victims, spare, record } = values;
const [prompts = 0, agents = 0, kills = 0, atOnce = 0, seed = 0] = [
  values.prompts,
  values.agents,
  values.kills,
  values['at-once'],
  values.seed,
].map(Number);
if (![prompts, agents, kills, atOnce, seed].every(Number.isInteger))
  refuse('--prompts, --agents, --kills, --at-once and --seed take whole numbers.');
if (victims !== 'all' && victims !== 'killed' && victims !== 'worker')
  refuse('--victims takes all, killed or worker.');
if (!Object.hasOwn(stormRuntimes, runtime))
  refuse(`--runtime takes one of ${Object.keys(stormRuntimes).join(', ')}.`);

// What was started outlives this script unless it is ended, so a signal ends the run first.
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupted.abort());

console.log(`${runtime}: ${prompts} prompts, ${agents} agents, ${kills} kills, seed ${seed}`);
const summary = await runStorm({
  prompts,
  agents,
  kills,
  seed,
  atOnce,
  runtime: /** @type {import('../test/storm/storm-runtimes.js').RuntimeName} */ (runtime),
  victims: /** @type {import('../test/storm/storm-thread.js').Victims} */ (victims),
  signal: interrupted.signal,
  ...(spare === undefined ? {} : { spare }),
  ...(record === undefined ? {} : { record }),
  progress: (line) => console.log(line),
});

const { table, kills: byMoment, unbroken, lost, doubled, orphans, violations, courses } = summary;
console.log('\n| what | count |\n| --- | --- |');
for (const [moment, count] of Object.entries(byMoment))
  console.log(`| kills of the worker, ${moment} | ${count} |`);
for (const [what, count] of Object.entries({ ...table, unbroken, lost, doubled, orphans }))
  console.log(`| ${what} | ${count} |`);
console.log(`\n${violations.length} violations`);
for (const violation of [...violations, ...courses]) console.log(`- ${violation}`);
process.exitCode = violations.length > 0 ? 1 : 0;

/** @param {string} why */
function refuse(why) {
  console.error(`storm: ${why}`);
  process.exit(64);
}
