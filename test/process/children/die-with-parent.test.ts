import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnGroup } from '../../../src/process/children/child.js';
import { dieWithParent, findSetpriv } from '../../../src/process/children/die-with-parent.js';
import { waitUntil } from '../../harness/wait-until.js';
import { becomes, dies, fixture, isLiving, psField, startParent } from '../fixture.js';

const setpriv = findSetpriv(process.env['PATH']);
const sleep = { file: 'sleep', args: ['3600'] };

let withoutSetpriv: string;
beforeAll(async () => {
  withoutSetpriv = await mkdtemp(join(tmpdir(), 'handraise-path-'));
  for (const name of ['sleep', 'sh']) await symlink(`/bin/${name}`, join(withoutSetpriv, name));
});
afterAll(async () => {
  await rm(withoutSetpriv, { recursive: true });
});

describe('the wrapped command', () => {
  it('is the command itself where there is no setpriv', () => {
    expect(findSetpriv(withoutSetpriv)).toBeNull();
    expect(dieWithParent(sleep, null)).toEqual(sleep);
  });

  it('goes through setpriv where there is one', () => {
    expect(dieWithParent(sleep, '/usr/bin/setpriv')).toEqual({
      file: '/usr/bin/setpriv',
      args: ['--pdeathsig', 'KILL', '--', 'sleep', '3600'],
    });
  });

  it('refuses a setpriv that cannot do it, as BusyBox has one', async () => {
    const path = join(withoutSetpriv, 'busybox');
    await mkdir(path);
    await symlink('/bin/false', join(path, 'setpriv'));
    expect(findSetpriv(path)).toBeNull();
  });
});

describe.runIf(setpriv !== null)('the kernel', () => {
  it('kills the child of a plain spawn, as an SDK does it, once it is wrapped', async () => {
    const { file, args } = dieWithParent(sleep, setpriv);
    const parent = await startParent([fixture('plain-parent.js'), file, ...args], { pids: 1 });
    const [child = 0] = parent.pids;
    // Until setpriv has become sleep, nothing says that the signal is set.
    await becomes(child, 'sleep');
    process.kill(parent.pid, 'SIGKILL');
    await dies(child);
  });

  it('leaves the child of a plain spawn alone otherwise', async () => {
    const { file, args } = sleep;
    const parent = await startParent([fixture('plain-parent.js'), file, ...args], { pids: 1 });
    const [child = 0] = parent.pids;
    process.kill(parent.pid, 'SIGKILL');
    await waitUntil('somebody else is its parent', () => psField(child, 'ppid') !== String(parent.pid));
    expect(isLiving(child)).toBe(true);
  });
});

describe.each(['with setpriv', 'without setpriv'])('a child that dies with its parent, %s', (how) => {
  const env = () => (how === 'with setpriv' ? process.env : { PATH: withoutSetpriv });

  it('is gone when the parent is killed', async () => {
    const parent = await startGuarded(['sleep', '3600'], { env: env(), pids: 1 });
    const [child = 0] = parent.pids;
    expect(isLiving(child)).toBe(true);
    process.kill(parent.pid, 'SIGKILL');
    await dies(child);
  });

  it('takes what it forked with it', async () => {
    const parent = await startGuarded([fixture('keeps-child.sh')], { env: env(), pids: 2 });
    expect(parent.pids.map(isLiving)).toEqual([true, true]);
    process.kill(parent.pid, 'SIGKILL');
    await waitUntil('all of them are dead', () => !parent.pids.some(isLiving));
  });

  it('leaves no watchdog when it ends first', async () => {
    const child = spawnGroup({
      file: 'sh',
      args: ['-c', 'exit 6'],
      cwd: '/',
      env: env(),
      dieWithParent: true,
    });
    expect(await child.exited).toEqual({ exitCode: 6, signal: null });
    await waitUntil('no watchdog is left', () => watchdogsOf(child.pgid).length === 0);
  });
});

it('a child without the guard outlives its parent', async () => {
  const parent = await startGuarded(['sleep', '3600'], { pids: 1, dieWithParent: false });
  const [child = 0] = parent.pids;
  process.kill(parent.pid, 'SIGKILL');
  await waitUntil('somebody else is its parent', () => psField(child, 'ppid') !== String(parent.pid));
  expect(isLiving(child)).toBe(true);
});

function startGuarded(
  command: readonly string[],
  options: { pids: number; env?: NodeJS.ProcessEnv; dieWithParent?: boolean },
): Promise<{ pid: number; pids: number[] }> {
  const { dieWithParent = true, ...rest } = options;
  return startParent([fixture('parent.js'), JSON.stringify({ dieWithParent }), ...command], rest);
}

function watchdogsOf(pgid: number): string[] {
  const commands = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return commands.filter((args) => args.endsWith(`handraise-watchdog ${pgid}`));
}
