import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CliStage, openCliStage } from '../cli-stage.js';

let cli: CliStage;
beforeAll(async () => {
  cli = await openCliStage();
});
afterAll(async () => await cli[Symbol.asyncDispose]());

const hasManager = spawnSync('systemctl', ['--user', 'show-environment']).status === 0;
const canVerify = process.platform === 'linux' && spawnSync('systemd-analyze', ['--version']).status === 0;

test('what would be written is printed, and systemd understands it', async () => {
  const { stdout, code } = await cli.run('service', 'install', '--print');
  expect(code).toBe(0);
  if (process.platform !== 'linux') return;
  expect(stdout).toContain('KillMode=process');
  expect(stdout).toContain(`Environment="HANDRAISE_HOME=${cli.home}"`);
  if (!canVerify) return;
  const folder = mkdtempSync(join(tmpdir(), 'handraise-unit-'));
  const file = join(folder, 'handraise-test.service');
  writeFileSync(file, stdout);
  const verified = spawnSync('systemd-analyze', ['--user', 'verify', file], {
    env: { ...process.env, XDG_RUNTIME_DIR: folder },
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect(verified.stderr.split('\n').filter((line) => line.includes('handraise-test'))).toEqual([]);
});

test.skipIf(hasManager || process.platform !== 'linux')('without a manager nothing is written', async () => {
  const refused = await cli.run('service', 'install');
  expect(refused).toMatchObject({ code: 69 });
  expect(refused.stderr).toContain('No systemd user manager answers');
  expect(existsSync(join(cli.stage.home, '.config', 'systemd'))).toBe(false);
  expect(await cli.run('service', 'status')).toMatchObject({ code: 69, stdout: 'not installed\n' });
  expect(await cli.run('service', 'uninstall')).toMatchObject({ code: 66 });
});
