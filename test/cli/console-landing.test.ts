// @module-tag full
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../harness/wait-until.js';
import { type CliStage, openCliStage } from './cli-stage.js';

let cli: CliStage;
beforeAll(async () => {
  cli = await openCliStage();
  await cli.run('up', '-d');
});
afterAll(() => cli[Symbol.asyncDispose]());

it('work is merged from its changes in the terminal console, after a yes', async () => {
  const repository = join(cli.stage.home, 'repository');
  mkdirSync(repository);
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: repository,
      encoding: 'utf8',
      env: cli.stage.env,
      stdio: 'pipe',
    }).trim();
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.com');
  writeFileSync(join(repository, 'a.txt'), 'one\n');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Begin');
  const run = await cli.run(
    'run',
    '-C',
    repository,
    '--worktree',
    '--command',
    'sh -c "echo second >> a.txt"',
    'add a line',
  );
  expect(run.code).toBe(0);

  const env = { NO_COLOR: '1', LC_ALL: 'C.UTF-8' };
  const terminal = cli.onTerminal(['console'], { columns: 110, rows: 30, env });
  await terminal.saying('+1 −0');
  terminal.type('f');
  await terminal.saying('second');
  terminal.type('M');
  await terminal.saying('Merge this into the branch that it came from?');
  terminal.type('y');
  await eventually(
    'the work is on main',
    () => git('show', 'main:a.txt'),
    (text) => text === 'one\nsecond',
  );
  await terminal.saying('main');
  terminal.type('q');
  expect((await terminal.finished).code).toBe(0);
});
