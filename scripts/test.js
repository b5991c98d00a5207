// `npm test`: builds, looks for drift between source and documents, and runs the tests.
// Further arguments go to vitest: npm test -- test/protocol
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runStep, summaryLine } from './step.js';

const outcomes = [await runStep({ name: 'build', command: ['node', 'scripts/build.js'] })];
if (outcomes.every(({ ok }) => ok)) {
  outcomes.push(
    await runStep({ name: 'schemas', command: ['node', 'scripts/schemas.js', '--check'] }),
    await runStep({ name: 'exit codes', command: ['node', 'scripts/exit-codes.js', '--check'] }),
    await runStep({ name: 'openapi', command: ['node', 'scripts/openapi.js', '--check'] }),
    await runStep({ name: 'runtimes', command: ['node', 'scripts/runtimes-table.js', '--check'] }),
    await runStep({ name: 'settings', command: ['node', 'scripts/settings-table.js', '--check'] }),
    await runStep({ name: 'protocol coverage', command: ['node', 'scripts/protocol-coverage.js'] }),
  );
}
const tests = await runTests(process.argv.slice(2));
const failed = tests.failed + outcomes.filter(({ ok }) => !ok).length;
const passed = tests.passed + outcomes.filter(({ ok }) => ok).length;
console.log(summaryLine({ passed, failed, skipped: tests.skipped }));
process.exitCode = failed > 0 ? 1 : 0;

/**
 * Vitest, with its counts read from its own report.
 * @param {string[]} further
 */
async function runTests(further) {
  const folder = mkdtempSync(join(tmpdir(), 'handraise-test-'));
  const report = join(folder, 'report.json');
  const { ok } = await runStep(
    {
      name: 'tests',
      command: [
        'vitest',
        'run',
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
    return { passed: 0, failed: 1, skipped: 0 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * A file that could not be loaded has no failed test, and an error outside of any test fails the run alone;
 * each counts as one failure.
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number, testResults: { status: string, assertionResults: { status: string }[] }[] }} report
 * @param {boolean} ok
 */
function countsOf(report, ok) {
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((result) => result.status !== 'failed'),
  ).length;
  const failed = report.numFailedTests + brokenFiles;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && !ok ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
