// @module-tag full
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownIdentity } from '../../src/process/families/own-identity.js';
import { runMarker } from '../../src/process/families/run-marker.js';
import { type CliStage, openCliStage } from './cli-stage.js';

let cli: CliStage;
beforeAll(async () => {
  cli = await openCliStage();
  await cli.run('token', 'add', 'phone');
});
afterAll(() => cli[Symbol.asyncDispose]());

// Of a process that lives, because runners end what the dead have left.
const env = { HANDRAISE_RUN: runMarker(ownIdentity()).value };
const refused = { code: 77, stdout: '', stderr: expect.stringContaining('an agent started this process') };

it.each([
  [['token', 'add', 'mine']],
  [['token', 'ls']],
  [['token', 'rm', 'phone']],
  [['token', 'rotate']],
  [['token', 'show']],
  [['token', 'link']],
  [['config', 'trust', '.', '--yes']],
  [['config', 'set', 'slots', '9']],
  [['config', 'unset', 'slots']],
  [['up', '--port', '0']],
])('an agent cannot act as the owner: %s', async (args) => {
  const [token, tokens] = ['token', 'tokens.json'].map((name) => readFileSync(join(cli.home, name), 'utf8'));
  expect(await cli.start(args, { env }).finished).toEqual(refused);
  expect(readFileSync(join(cli.home, 'token'), 'utf8')).toBe(token);
  expect(readFileSync(join(cli.home, 'tokens.json'), 'utf8')).toBe(tokens);
});

it('an agent cannot start a worker that would not know it as an agent', async () => {
  const { code, stderr } = await cli.start(['run', '-d', 'Do it'], { env }).finished;
  expect([code, stderr]).toEqual([77, expect.stringContaining('Only a person can start a worker')]);
  expect(existsSync(join(cli.home, 'worker.json'))).toBe(false);
});

it('what only tells is told to an agent, too', async () => {
  for (const args of [['config', 'ls'], ['config', 'path'], ['token', '--help'], ['--version']])
    expect((await cli.start(args, { env }).finished).code).toBe(0);
});

it.runIf(process.platform === 'linux')('an agent that sheds the marker is known by its parents', async () => {
  const program = new URL('../../bin/handraise.js', import.meta.url).pathname;
  // The shell keeps the marker; what it starts has none.
  const line = `env -u HANDRAISE_RUN "${process.execPath}" "${program}" token add mine; exit $?`;
  const said = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    const options = { env: { ...cli.stage.env, HANDRAISE_HOME: cli.home, ...env } };
    execFile('sh', ['-c', line], options, (error, _, stderr) => resolve({ code: error?.code, stderr }));
  });
  expect(said).toEqual({ code: 77, stderr: refused.stderr });
});
