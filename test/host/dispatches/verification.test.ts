import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type CheckRequest, verify } from '../../../src/host/dispatches/verification.js';
import { waitUntil } from '../../harness/wait-until.js';
import { isLiving, trackPid } from '../../process/fixture.js';

let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'handraise-verify-'));
});

afterEach(async () => {
  await rm(cwd, { recursive: true });
});

function request(command: string, given: Partial<CheckRequest> = {}): CheckRequest {
  const env = { PATH: process.env.PATH ?? '' };
  return { command, cwd, env, signal: new AbortController().signal, timeoutMs: 2 ** 40, ...given };
}

async function pidIn(file: string): Promise<number> {
  const path = join(cwd, file);
  await waitUntil(
    'the command has written its pid',
    () => existsSync(path) && readFileSync(path, 'utf8').endsWith('\n'),
  );
  return trackPid(readFileSync(path, 'utf8').trim());
}

test('a command that ends well has passed; its streams are one text in order', async () => {
  const command = `echo one; echo two >&2; printf '\\033[32mthree\\033[0m\\n'; pwd >where; read -r line || echo 'no input'`;
  expect(await verify(request(command))).toEqual({
    passed: true,
    output: 'one\ntwo\nthree\nno input\n',
    exitCode: 0,
    signal: null,
    timedOut: false,
  });
  expect(existsSync(join(cwd, 'where'))).toBe(true);
});

test('what it prints is plain: nothing of it is obeyed, and its lines are lines', async () => {
  const printed =
    '\u001b]0;title\u0007a\u001b]8;;http://x.invalid\u001b\\link\u001b]8;;\u001b\\b\n' +
    '\u001b[2J\u001b[H\u009b5mx\u001bPq#0\u001b\\y\u001bcz\u0000\u0007\u0008\u202e\n' +
    '10%\r20%\r100%\r\nétape\tfin\n';
  await writeFile(join(cwd, 'printed'), printed);
  const { output } = await verify(request('cat printed'));
  expect(output).toBe('alinkb\nxyz\n10%\n20%\n100%\nétape\tfin\n');
});

test('a command that fails, that a signal ends, or that the shell cannot read has not passed', async () => {
  const failed = { passed: false, exitCode: null, signal: null, timedOut: false };
  expect(await verify(request('echo bad; exit 3'))).toEqual({ ...failed, output: 'bad\n', exitCode: 3 });
  expect(await verify(request('kill -9 $$'))).toEqual({ ...failed, output: '', signal: 'SIGKILL' });
  expect(await verify(request('if then'))).toMatchObject({ passed: false, exitCode: 2 });
});

test('a workspace that is gone is an answer', async () => {
  expect(await verify(request('true', { cwd: join(cwd, 'gone') }))).toEqual({
    passed: false,
    output: `The command could not be started: cannot work in ${join(cwd, 'gone')}.\n`,
    exitCode: null,
    signal: null,
    timedOut: false,
  });
});

test('the end of a long output is kept', async () => {
  const { passed, output } = await verify(request('seq 100000; echo last'));
  expect(passed).toBe(true);
  expect(output.endsWith('99999\n100000\nlast\n')).toBe(true);
  expect(output.length).toBeGreaterThan(64 * 1024 - 10);
  expect(Buffer.byteLength(output)).toBeLessThanOrEqual(64 * 1024);
});

test('nothing stays behind that the command left in the background', async () => {
  const command = `sleep 3600 & echo $! >plain; setsid sh -c 'echo $$ >session; exec sleep 3600' & while [ ! -s session ]; do :; done; echo done`;
  const verified = verify(request(command));
  const left = [await pidIn('plain'), await pidIn('session')];
  expect(await verified).toEqual({
    passed: true,
    output: 'done\n',
    exitCode: 0,
    signal: null,
    timedOut: false,
  });
  expect(left.map(isLiving)).toEqual([false, false]);
});

test('two at a time do not end each other', async () => {
  const slow = verify(request('while [ ! -e go ]; do sleep 0.01; done; echo slow'));
  expect(await verify(request('echo quick'))).toMatchObject({ passed: true, output: 'quick\n' });
  await verify(request('touch go'));
  expect(await slow).toMatchObject({ passed: true, output: 'slow\n' });
});

test('one that takes too long is ended with all that it started', { tags: ['full'] }, async () => {
  const command = `trap '' TERM; setsid sh -c 'echo $$ >session; exec sleep 3600' & echo waiting; while :; do sleep 0.01; done`;
  const verified = verify(request(command, { timeoutMs: 3_000 }));
  const left = await pidIn('session');
  expect(await verified).toEqual({
    passed: false,
    output: 'waiting\n',
    exitCode: null,
    signal: 'SIGKILL',
    timedOut: true,
  });
  expect(isLiving(left)).toBe(false);
});

test('it is ended when nobody waits for it any more, which is no timeout', async () => {
  const patience = new AbortController();
  const verified = verify(request('echo $$ >own; sleep 3600', { signal: patience.signal }));
  await pidIn('own');
  patience.abort();
  expect(await verified).toEqual({
    passed: false,
    output: '',
    exitCode: null,
    signal: 'SIGTERM',
    timedOut: false,
  });
});

test('what it runs is marked as an agent’s', async () => {
  const { output } = await verify(request('echo "$HANDRAISE_RUN" | cut -d. -f1'));
  expect(output).toBe(`${process.pid}\n`);
});
