import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isDying, saysDying } from '../../../src/process/families/dying.js';
import { waitUntil } from '../../harness/wait-until.js';

const none = 'SigPnd:\t0000000000000000\nShdPnd:\t0000000000000000\nSigBlk:\t0000000000000100\n';

const stat = (of: number | undefined) => readFileSync(`/proc/${of}/stat`, 'utf8');

test.each<[string, string, string, boolean]>([
  ['one that works', '7 (node) R 1 7 7 0 -1 4194304 12', none, false],
  ['one that calls itself dead', '7 (a) Z 1 0 0 0 0 4) S 1 7 7 0 -1 4194304 12', none, false],
  ['one that has ended and is waited for', '7 (node) Z 1 7 7 0 -1 4194308 0', none, true],
  ['one that leaves', '7 (node) R 1 7 7 0 -1 4194308 12', none, true],
  ['one that a signal has ended', '7 (node) D 1 7 7 0 -1 4195328 12', none, true],
  [
    'one whose end waits for it',
    '7 (node) D 1 7 7 0 -1 4194304 12',
    none.replace('SigPnd:\t0000000000000000', 'SigPnd:\t0000000000000100'),
    true,
  ],
  [
    'one for which another signal waits',
    '7 (node) T 1 7 7 0 -1 4194304 12',
    none.replace('ShdPnd:\t0000000000000000', 'ShdPnd:\t0000000000004000'),
    false,
  ],
  ['nothing that can be read', '', '', false],
])('%s', (_what, line, status, dying) => {
  expect(saysDying({ stat: line, status })).toBe(dying);
});

test.runIf(process.platform === 'linux')(
  'a real process that lives, that has ended, and that is gone',
  async () => {
    expect(isDying(process.pid)).toBe(false);
    // What becomes of the shell never waits for its child, so that it keeps its pid when it has ended.
    const shell = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = Number(String((await once(shell.stdout, 'data'))[0]));
    await waitUntil('the shell is another program', () => stat(shell.pid).includes('(sleep)'));
    expect(isDying(pid)).toBe(false);
    process.kill(pid, 'SIGKILL');
    expect(isDying(pid)).toBe(true);
    await waitUntil('the child has ended', () => stat(pid).includes(') Z '));
    expect(isDying(pid)).toBe(true);
    shell.kill('SIGKILL');
    await once(shell, 'exit');
    expect(isDying(shell.pid ?? 0)).toBe(false);
  },
);
