// `npm run check`: everything that CI asks for. All of it runs, whatever fails on the way.
import { runStep, summaryLine } from './step.js';

/** @type {import('./step.js').Step[]} */
const checks = [
  { name: 'build', command: ['node', 'scripts/build.js'] },
  { name: 'format', command: ['biome', 'ci', '.'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings', '.'] },
  { name: 'types', command: ['tsc', '--noEmit', '-p', 'tsconfig.json'] },
  { name: 'types of the console', command: ['tsc', '--noEmit', '-p', 'src/web/tsconfig.json'] },
  { name: 'types of its tests', command: ['tsc', '--noEmit', '-p', 'test/browser/tsconfig.json'] },
  { name: 'unused code', command: ['knip'] },
  { name: 'exact versions', command: ['node', 'scripts/pins.js'] },
  { name: 'package lint', command: ['publint', '--strict'] },
  { name: 'package contents', command: ['node', 'scripts/package-contents.js'] },
];

const outcomes = [];
for (const check of checks) outcomes.push(await runStep(check));
const tests = await runStep({ name: 'tests', command: ['npm', 'test'] }, { live: true });
const counts = countsOf(tests);

console.log('\n| check | result | seconds |\n|---|---|---|');
for (const { name, ok, seconds } of [...outcomes, tests])
  console.log(`| ${name} | ${ok ? 'passed' : 'FAILED'} | ${seconds.toFixed(1)} |`);

const failed = counts.failed + outcomes.filter(({ ok }) => !ok).length;
const passed = counts.passed + outcomes.filter(({ ok }) => ok).length;
console.log(`\n${summaryLine({ passed, failed, skipped: counts.skipped })}`);
process.exitCode = failed > 0 ? 1 : 0;

/** @param {import('./step.js').Outcome} outcome */
function countsOf({ ok, output }) {
  const lines = output.matchAll(
    /^(?<passed>\d+) passed, (?<failed>\d+) failed(?:, (?<skipped>\d+) skipped)?$/gm,
  );
  const last = [...lines].at(-1);
  const failed = Number(last?.groups?.failed ?? 0);
  return {
    passed: Number(last?.groups?.passed ?? 0),
    failed: failed === 0 && !ok ? 1 : failed,
    skipped: Number(last?.groups?.skipped ?? 0),
  };
}
