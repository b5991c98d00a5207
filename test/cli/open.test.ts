import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CliStage, openCliStage } from './cli-stage.js';

let cli: CliStage;
beforeAll(async () => {
  cli = await openCliStage();
});
afterAll(() => cli[Symbol.asyncDispose]());

const link = /^http:\/\/127\.0\.0\.1:\d+\/#login=\S+$/;

/** A PATH on which something stands in for what opens a browser; it writes down what it was given. */
function withOpener(exitCode: number) {
  const bin = join(cli.stage.home, `opener-${exitCode}`);
  const given = join(bin, 'given');
  mkdirSync(bin);
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "$1" >> '${given}'\nexit ${exitCode}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return { given, env: { PATH: `${bin}:${process.env['PATH']}`, DISPLAY: ':0' } };
}

test('starts a worker and gives its link to the browser', async () => {
  const { given, env } = withOpener(0);
  const { code, stdout, stderr } = await cli.start(['open'], { env }).finished;
  expect([code, stdout]).toEqual([0, '']);
  expect(stderr).toContain('Starting a worker in the background.');
  expect(stderr).toContain('The web console is open in your browser.');
  expect(readFileSync(given, 'utf8').trim()).toMatch(link);
});

test('prints the link where it is asked to, where nothing can open it, and where no display is', async () => {
  const { given, env } = withOpener(3);
  const printed = await cli.start(['open', '--print'], { env }).finished;
  expect([printed.code, printed.stdout.trim()]).toEqual([0, expect.stringMatching(link)]);
  expect(existsSync(given)).toBe(false);
  const failing = await cli.start(['open'], { env }).finished;
  expect([failing.code, failing.stdout.trim()]).toEqual([0, expect.stringMatching(link)]);
  if (process.platform === 'linux') {
    const dark = { ...env, DISPLAY: '', WAYLAND_DISPLAY: '' };
    expect((await cli.start(['open'], { env: dark }).finished).stdout.trim()).toMatch(link);
    expect(readFileSync(given, 'utf8').trim().split('\n')).toHaveLength(1);
  }
  const told = await cli.start(['open', '--print', '--json'], { env }).finished;
  expect(JSON.parse(told.stdout)).toEqual({ url: expect.stringMatching(link), isOpened: false });
});
