import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChildCommand, spawnGroup } from '../../../src/process/children/child.js';
import { SpawnError } from '../../../src/process/children/spawn-error.js';
import { readProcess } from '../../../src/process/families/process-table.js';
import { fixture, startFixture } from '../fixture.js';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'handraise-child-'));
});
afterAll(() => rm(directory, { recursive: true }));

describe('a child', () => {
  it('leads a group and a session of its own', async () => {
    const { child } = await startFixture('exits-on-eof.sh');
    const row = readProcess(child.pid);
    expect(row).toEqual({
      pid: child.pid,
      ppid: process.pid,
      pgid: child.pgid,
      sid: child.pid,
      state: row?.state,
      name: 'exits-on-eof.sh',
      identity: child.identity,
    });
    child.stdin.end();
    expect(await child.exited).toEqual({ exitCode: 0, signal: null });
  });

  it('tells its exit code or the signal that killed it', async () => {
    const exits = spawnGroup(command('exits.sh'));
    expect(await exits.exited).toEqual({ exitCode: 3, signal: null });
    const { child } = await startFixture('ignores-sigterm.sh');
    process.kill(-child.pgid, 'SIGKILL');
    expect(await child.exited).toEqual({ exitCode: null, signal: 'SIGKILL' });
  });

  it('has exited even while a grandchild holds its streams', async () => {
    const child = spawnGroup({ ...shell('sleep 3600 & exit 4') });
    expect(await child.exited).toEqual({ exitCode: 4, signal: null });
    expect(child.stdout.readableEnded).toBe(false);
    process.kill(-child.pgid, 'SIGKILL');
  });

  it('gets only the environment that it is given', async () => {
    const child = spawnGroup({
      ...shell('env'),
      env: { PATH: '/usr/bin:/bin', ONLY: 'this', NOT: undefined },
    });
    const names = (await text(child.stdout))
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(new Set(names)).toEqual(new Set(['ONLY', 'PATH', 'PWD']));
  });

  it('can write to files', async () => {
    const path = join(directory, 'out');
    const file = await open(path, 'w');
    const stdio = { stdin: 'ignore', stdout: file.fd, stderr: file.fd } as const;
    const child = spawnGroup({ ...shell('echo out; echo err >&2'), stdio });
    expect([child.stdin, child.stdout, child.stderr]).toEqual([null, null, null]);
    await child.exited;
    await file.close();
    expect(await readFile(path, 'utf8')).toBe('out\nerr\n');
  });

  it('may end while it is written to', async () => {
    const child = spawnGroup(command('exits.sh'));
    await child.exited;
    const failure = await new Promise((resolve) => child.stdin.write('too late\n', resolve));
    expect(failure).toBeInstanceOf(Error);
  });
});

describe('a child that cannot start', () => {
  it.each([
    ['a command that is on no PATH', 'command_not_found', { file: 'no-such-command-here' }],
    ['a path to nothing', 'command_not_found', { file: '/no/such/command' }],
    ['an empty name', 'command_not_found', { file: '' }],
    ['a file without the x bit', 'command_not_executable', { file: fixture('not-executable.sh') }],
    ['a directory that is not there', 'bad_cwd', { cwd: '/no/such/directory' }],
    ['a directory that is a file', 'bad_cwd', { cwd: fixture('exits.sh') }],
    ['arguments beyond the limit', 'spawn_failed', { args: ['x'.repeat(4 * 1024 * 1024)] }],
    ['an argument with a null byte', 'spawn_failed', { args: ['\0'] }],
  ] as const)('tells about %s: %s', (_, code, change) => {
    expect(codeOf({ ...command('exits.sh'), ...change })).toBe(code);
    expect(codeOf({ ...command('exits.sh'), ...change, dieWithParent: true })).toBe(code);
  });

  it('throws for a script whose interpreter is missing', async () => {
    const file = join(directory, 'no-interpreter');
    await writeFile(file, '#!/no/such/interpreter\n', { mode: 0o755 });
    expect(codeOf({ ...command('exits.sh'), file })).toBe('spawn_failed');
  });

  it('is not looked for in the directory that it works in', async () => {
    await writeFile(join(directory, 'planted'), '#!/bin/sh\n', { mode: 0o755 });
    const planted: ChildCommand = { file: 'planted', args: [], cwd: directory, env: { PATH: ':.:' } };
    expect(codeOf(planted)).toBe('command_not_found');
    const named = spawnGroup({ ...planted, file: './planted', env: { PATH: ':.:' } });
    expect(await named.exited).toEqual({ exitCode: 0, signal: null });
  });
});

function command(name: string): { file: string; args: string[]; cwd: string; env: NodeJS.ProcessEnv } {
  return { file: fixture(name), args: [], cwd: '/', env: process.env };
}

function shell(script: string): { file: string; args: string[]; cwd: string; env: NodeJS.ProcessEnv } {
  return { file: 'sh', args: ['-c', script], cwd: '/', env: process.env };
}

function codeOf(broken: ChildCommand): string {
  try {
    spawnGroup(broken);
  } catch (error) {
    if (error instanceof SpawnError) return error.code;
    throw error;
  }
  return 'started';
}
