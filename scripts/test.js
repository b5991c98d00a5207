// `npm test`: builds, looks for drift between source and documents, and runs the quick tests.
// `npm run test:full`: the tests that are marked as full, and none of the quick ones.
// Further arguments go to vitest: npm test -- test/protocol
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { failureLine, runStep, summaryLine } from './step.js';

const isFull = process.argv[2] === '--full';
const further = process.argv.slice(isFull ? 3 : 2);

/** @typedef {{ status: string, tags: string[], fullName: string, failureMessages?: string[] }} Assertion */

/** @type {import('./step.js').Step[]} */
const driftChecks = [
  { name: 'schemas', command: ['node', 'scripts/schemas.js', '--check'] },
  { name: 'exit codes', command: ['node', 'scripts/exit-codes.js', '--check'] },
  { name: 'openapi', command: ['node', 'scripts/openapi.js', '--check'] },
  { name: 'runtimes', command: ['node', 'scripts/runtimes-table.js', '--check'] },
  { name: 'settings', command: ['node', 'scripts/settings-table.js', '--check'] },
  { name: 'signals', command: ['node', 'scripts/signals.js', '--check'] },
  { name: 'protocol coverage', command: ['node', 'scripts/protocol-coverage.js'] },
];

const outcomes = [await runStep({ name: 'build', command: ['node', 'scripts/build.js'] })];
if (!isFull && outcomes.every(({ ok }) => ok))
  for (const check of driftChecks) outcomes.push(await runStep(check));
const tests = await runTests();
for (const { name } of outcomes.filter(({ ok }) => !ok)) console.log(failureLine(name));
for (const failure of tests.failures) console.log(failureLine(failure));
const failed = tests.failed + outcomes.filter(({ ok }) => !ok).length;
const passed = tests.passed + outcomes.filter(({ ok }) => ok).length;
console.log(summaryLine({ passed, failed, skipped: tests.skipped }));
process.exitCode = failed > 0 ? 1 : 0;

/** Vitest, with its counts read from its own report. */
async function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'handraise-test-'));
  const report = join(folder, 'report.json');
  const { ok } = await runStep(
    {
      name: isFull ? 'full tests' : 'quick tests',
      command: [
        'vitest',
        'run',
        `--tags-filter=${isFull ? 'full' : '!full'}`,
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
        ...further,
      ],
    },
    { live: true },
  );
  try {
    return countsOf(JSON.parse(readFileSync(report, 'utf8')), ok);
  } catch {
    return { passed: 0, failed: 1, skipped: 0, failures: ['the tests: there is no report of them'] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Tests of the other speed are in the report too, as skipped ones; they do not count. A file that could not be loaded
 * has no failed test, and an error outside of any test fails the run alone; each counts as one failure, and is named.
 * @param {{ testResults: { name: string, status: string, message: string, assertionResults: Assertion[] }[] }} report
 * @param {boolean} ok
 */
function countsOf({ testResults }, ok) {
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const count = (/** @type {string[]} */ ...statuses) =>
    results.filter(({ status, tags }) => tags.includes('full') === isFull && statuses.includes(status))
      .length;
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((result) => result.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [`${relative('.', name)}: ${message}`] : [];
    return failed.map(
      (result) =>
        `${relative('.', name)} > ${result.fullName}: ${result.failureMessages?.[0] ?? 'no reason given'}`,
    );
  });
  if (failures.length === 0 && !ok) failures.push('outside of any test: see the errors above');
  return {
    passed: count('passed'),
    failed: failures.length,
    skipped: count('skipped', 'pending', 'todo'),
    failures,
  };
}
