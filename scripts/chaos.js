// Kills the worker again and again under real agents on the simulator, and says what was lost, doubled or left behind.
// Usage: node scripts/chaos.js [--agents 10] [--kills 100] [--seed N] [--spare]
import { parseArgs } from 'node:util';
import { runChaos } from '../test/host/chaos/chaos.js';

const { values } = parseArgs({
  options: {
    agents: { type: 'string', default: '10' },
    kills: { type: 'string', default: '100' },
    spare: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const [agents, kills, seed] = [values.agents, values.kills, values.seed].map(Number);
if (![agents, kills, seed].every(Number.isInteger)) {
  console.error('chaos: --agents, --kills and --seed take whole numbers.');
  process.exit(64);
}

// What was started outlives this script unless it is ended, so a signal ends the run first.
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupted.abort());

console.log(`${agents} agents, ${kills} kills, seed ${seed}`);
const {
  violations,
  kills: byMoment,
  ...numbers
} = await runChaos({
  agents: agents ?? 10,
  kills: kills ?? 100,
  seed: seed ?? 0,
  spare: values.spare,
  signal: interrupted.signal,
  progress: (line) => console.log(line),
});

console.log('\n| what | count |\n|---|---|');
for (const [moment, count] of Object.entries(byMoment)) console.log(`| kills, ${moment} | ${count} |`);
for (const [what, count] of Object.entries(numbers)) console.log(`| ${what} | ${Math.round(count)} |`);
console.log(`\n${violations.length} violations`);
for (const violation of violations) console.log(`- ${violation}`);
process.exitCode = violations.length > 0 ? 1 : 0;
