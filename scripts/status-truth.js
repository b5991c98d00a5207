// Compares what is published with what is true, over hours that a script makes up, for each runtime; says how often, and for how
// many events, the two disagree.
// Usage: node scripts/status-truth.js [--hours 10] [--seed 1]
import { parseArgs } from 'node:util';
import { dialects } from '../test/status-truth/dialects.js';
import { ScriptedHour } from '../test/status-truth/hour.js';

const { values } = parseArgs({
  options: { hours: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
});
const [hours = 1, first = 1] = [values.hours, values.seed].map(Number);
const columns = ['transitions', 'events', 'late', 'again', 'kills', 'jumps'];
process.stdout.write(`| runtime | ${columns.join(' | ')} | longest disagreement | longer than one event |\n`);
process.stdout.write(`| --- |${' ---: |'.repeat(columns.length + 2)}\n`);
let wrong = 0;
for (const runtime of Object.keys(dialects)) {
  const verdicts = Array.from({ length: hours }, (_, hour) => new ScriptedHour(runtime, first + hour).run());
  /** @param {(verdict: (typeof verdicts)[number]) => number} count */
  const sum = (count) => verdicts.reduce((total, verdict) => total + count(verdict), 0);
  const counts = [
    sum((verdict) => verdict.transitions),
    sum((verdict) => verdict.events),
    sum((verdict) => verdict.late),
    sum((verdict) => verdict.again),
    sum((verdict) => verdict.kills),
    sum((verdict) => verdict.jumps),
  ].map((count) => count.toLocaleString('en'));
  const longest = Math.max(...verdicts.map((verdict) => verdict.longest));
  const longer = sum((verdict) => verdict.wrong.length);
  wrong += longer;
  process.stdout.write(
    `| ${runtime} | ${counts.join(' | ')} | ${longest} ${longest === 1 ? 'event' : 'events'} | ${longer} |\n`,
  );
  for (const line of verdicts.flatMap((verdict) => verdict.wrong).slice(0, 5))
    process.stderr.write(`${runtime}: ${line}\n`);
}
process.exitCode = wrong === 0 ? 0 : 1;
