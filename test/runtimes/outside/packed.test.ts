import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outsideRuntime } from '../../../src/runtimes/outside/index.js';

const root = new URL('../../../', import.meta.url).pathname;
const modules = join(root, 'node_modules');

test('the example keeps the contract of all runtimes, with Handraise from its own package', {
  tags: ['full'],
}, () => {
  const folder = exampleWithPackedHandraise();
  const vitest = join(modules, 'vitest/vitest.mjs');
  const run = spawnSync(process.execPath, [vitest, 'run', '--reporter=json', '--outputFile=report.json'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, TMPDIR: tmpdir() },
    encoding: 'utf8',
  });
  expect(existsSync(join(folder, 'report.json')), `${run.stdout}${run.stderr}`).toBe(true);
  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  const failures = report.testResults.flatMap(
    ({
      message,
      assertionResults,
    }: {
      message: string;
      assertionResults: { failureMessages: string[] }[];
    }) => [message, ...assertionResults.flatMap(({ failureMessages }) => failureMessages)],
  );
  expect(failures.join('\n')).toBe('');
  expect([report.numFailedTests, report.success], `${run.stdout}${run.stderr}`).toEqual([0, true]);
  expect(report.numPassedTests).toBeGreaterThan(10);
});

test('its types are those that the package brings', { tags: ['full'] }, () => {
  const folder = exampleWithPackedHandraise();
  const options = ['--noEmit', '--strict', '--checkJs', '--allowJs', '--skipLibCheck', '--types', 'node'];
  const modern = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,esnext.disposable,dom'];
  const files = ['index.js', 'contract.test.js'];
  const checked = spawnSync(
    process.execPath,
    [join(modules, 'typescript/bin/tsc'), ...options, ...modern, ...files],
    { cwd: folder, encoding: 'utf8' },
  );
  expect([checked.stdout, checked.status]).toEqual(['', 0]);
});

test('npm installs it without a second Handraise, and it is used with this one', {
  tags: ['full'],
}, async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'installed-')));
  const env = { PATH: process.env['PATH'], HOME: folder };
  const pack = ['pack', '--silent', '--pack-destination', folder];
  const file = execFileSync('npm', pack, {
    cwd: join(root, 'examples/runtime'),
    env,
    encoding: 'utf8',
  }).trim();
  const install = ['install', '--global', '--prefix', folder, '--offline', '--no-audit', '--no-fund'];
  execFileSync('npm', [...install, join(folder, file)], { cwd: folder, env });
  const packages = join(folder, 'lib/node_modules');
  expect(readdirSync(packages)).toEqual(['my-handraise-runtime']);
  const installed = join(packages, 'my-handraise-runtime');
  expect(existsSync(join(installed, 'node_modules'))).toBe(false);
  const { name } = await outsideRuntime('npm:mine', installed);
  expect(name).toBe('npm:mine');
});

/** The example beside what `npm pack` makes of Handraise; what that depends on comes from this checkout, as the registry has it. */
function exampleWithPackedHandraise(): string {
  const folder = join(realpathSync(mkdtempSync(join(tmpdir(), 'packed-'))), 'my-handraise-runtime');
  cpSync(join(root, 'examples/runtime'), folder, { recursive: true });
  const installed = join(folder, 'node_modules');
  mkdirSync(join(installed, 'handraise'), { recursive: true });
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  const file = execFileSync('npm', pack, { cwd: root, encoding: 'utf8' }).trim();
  const into = ['-xzf', join(folder, file), '--strip-components=1', '-C', join(installed, 'handraise')];
  execFileSync('tar', into);
  for (const name of readdirSync(modules).filter((each) => !each.startsWith('.')))
    symlinkSync(join(modules, name), join(installed, name));
  writeFileSync(join(folder, 'vitest.config.js'), "export default { test: { include: ['*.test.js'] } };\n");
  return folder;
}
