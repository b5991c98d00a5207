// `npm run check`: everything that CI asks for, the fastest first. All of it runs, whatever fails on the way.
import { failureLines, runStep, summaryLine } from './step.js';

/** @type {import('./step.js').Step[]} */
const checks = [
  { name: 'format', command: ['biome', 'ci', '.'] },
  { name: 'exact versions', command: ['node', 'scripts/pins.js'] },
  { name: 'build', command: ['node', 'scripts/build.js'] },
  { name: 'types', command: ['tsc', '--noEmit', '-p', 'tsconfig.json'] },
  { name: 'types of the console', command: ['tsc', '--noEmit', '-p', 'src/web/tsconfig.json'] },
  { name: 'types of its tests', command: ['tsc', '--noEmit', '-p', 'test/browser/tsconfig.json'] },
  { name: 'unused code', command: ['knip'] },
  { name: 'package lint', command: ['publint', '--strict'] },
  { name: 'package contents', command: ['node', 'scripts/package-contents.js'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings', '.'] },
];
/** @type {import('./step.js').Step[]} */
const suites = [
  { name: 'quick tests', command: ['npm', 'test'] },
  { name: 'full tests', command: ['npm', 'run', 'test:full'] },
];

const checked = [];
for (const check of checks) checked.push(await runStep(check));
const tested = [];
for (const suite of suites) tested.push(await runStep(suite, { live: true }));

console.log('\n| check | result | seconds |\n|---|---|---|');
for (const { name, ok, seconds } of [...checked, ...tested])
  console.log(`| ${name} | ${ok ? 'passed' : 'FAILED'} | ${seconds.toFixed(1)} |`);

// Whoever sees only the end of a long output sees what failed.
for (const { name, output } of checked.filter(({ ok }) => !ok))
  console.log(`\n${name}:\n${output.slice(-4000)}`);
for (const outcome of tested.filter(({ ok }) => !ok))
  console.log(`\n${outcome.name}:\n${failureLines(outcome).join('\n')}`);

const counts = [
  ...checked.map(({ ok }) => ({ passed: Number(ok), failed: Number(!ok), skipped: 0 })),
  ...tested.map(countsOf),
];
const total = (/** @type {'passed' | 'failed' | 'skipped'} */ what) =>
  counts.reduce((sum, count) => sum + count[what], 0);
const failed = total('failed');
console.log(`\n${summaryLine({ passed: total('passed'), failed, skipped: total('skipped') })}`);
process.exitCode = failed > 0 ? 1 : 0;

/** The counts of a suite, from the last line that it ends with. @param {import('./step.js').Outcome} outcome */
function countsOf({ ok, output }) {
  const lines = output.matchAll(
    /^(?<passed>\d+) passed, (?<failed>\d+) failed(?:, (?<skipped>\d+) skipped)?$/gm,
  );
  const last = [...lines].at(-1);
  const found = Number(last?.groups?.failed ?? 0);
  return {
    passed: Number(last?.groups?.passed ?? 0),
    failed: found === 0 && !ok ? 1 : found,
    skipped: Number(last?.groups?.skipped ?? 0),
  };
}
