import { describe, expect, it } from 'vitest';
import { endProcess } from '../../../src/process/children/kill-ladder.js';
import { ProcessFamily } from '../../../src/process/families/process-family.js';
import { readProcess } from '../../../src/process/families/process-table.js';
import { signalGroup, signalProcess } from '../../../src/process/families/signal-process.js';
import { waitUntil } from '../../harness/wait-until.js';
import { becomes, becomesDaemon, isLiving, newMarker, psField, startFixture, trackPid } from '../fixture.js';

// Short, because a rung that cannot work is waited out; none of the checks depends on it.
const graceMs = { ask: 100, stdin: 100, sigterm: 100 };
const nothingLeft = { killed: [], alive: [] };

describe('each rung ends what listens to it', () => {
  it('nothing is done to a process that has ended', async () => {
    const { child } = await startFixture('exits-on-eof.sh');
    child.stdin.end();
    await child.exited;
    expect(await endProcess({ target: child, ask: () => expect.fail('asked a dead process') })).toEqual({
      endedBy: 'itself',
      exit: { exitCode: 0, signal: null },
      ...nothingLeft,
    });
  });

  it('ask', async () => {
    const { child } = await startFixture('exits-on-eof.sh');
    expect(await endProcess({ target: child, ask: () => child.stdin.end() })).toEqual({
      endedBy: 'ask',
      exit: { exitCode: 0, signal: null },
      ...nothingLeft,
    });
  });

  it('closing stdin', async () => {
    const { child } = await startFixture('exits-on-eof.sh');
    expect(await endProcess({ target: child, closeStdin: true })).toEqual({
      endedBy: 'stdin',
      exit: { exitCode: 0, signal: null },
      ...nothingLeft,
    });
  });

  it('SIGTERM, after an ask that failed and a stdin that nobody reads', async () => {
    const { child } = await startFixture('exits-on-sigterm.sh');
    const report = await endProcess({
      target: child,
      ask: () => Promise.reject(new Error('no connection')),
      closeStdin: true,
      graceMs: { ask: 3_600_000, stdin: 100 },
    });
    expect(report).toEqual({
      endedBy: 'sigterm',
      exit: { exitCode: 5, signal: null },
      ...nothingLeft,
    });
  });

  it('SIGKILL, after an ask without an answer', async () => {
    const { child } = await startFixture('ignores-sigterm.sh');
    const report = await endProcess({
      target: child,
      ask: () => new Promise<void>(() => {}),
      closeStdin: true,
      graceMs,
    });
    expect(report).toEqual({
      endedBy: 'sigkill',
      exit: { exitCode: null, signal: 'SIGKILL' },
      ...nothingLeft,
    });
  });

  it('SIGKILL at once when the signal is aborted', async () => {
    const { child } = await startFixture('exits-on-sigterm.sh');
    const hurry = new AbortController();
    const ask = () => hurry.abort();
    const grace = { ask: 3_600_000 };
    expect(await endProcess({ target: child, ask, graceMs: grace, signal: hurry.signal })).toEqual({
      endedBy: 'sigkill',
      exit: { exitCode: null, signal: 'SIGKILL' },
      ...nothingLeft,
    });
  });

  it('SIGKILL for a process that is stopped', async () => {
    const { child } = await startFixture('exits-on-sigterm.sh');
    process.kill(child.pid, 'SIGSTOP');
    await waitUntil('it is stopped', () => psField(child.pid, 'stat').startsWith('T'));
    const { endedBy } = await endProcess({ target: child, graceMs });
    expect(endedBy).toBe('sigkill');
  });
});

describe('what a process leaves behind', () => {
  it('in a session of its own outlives the group, and is killed with it', async () => {
    const first = await startFixture('keeps-session.sh');
    const survivor = trackPid(first.line);
    await becomes(survivor, 'sleep');
    process.kill(-first.child.pgid, 'SIGKILL');
    await first.child.exited;
    expect(isLiving(survivor)).toBe(true);

    const { child, line } = await startFixture('keeps-session.sh');
    const grandchild = trackPid(line);
    await becomes(grandchild, 'sleep');
    const row = readProcess(grandchild);
    const report = await endProcess({ target: child });
    expect(isLiving(grandchild)).toBe(false);
    expect(report).toEqual({
      endedBy: 'sigterm',
      exit: { exitCode: null, signal: 'SIGTERM' },
      killed: [{ ...row, ppid: parentAfter(report.killed) }],
      alive: [],
    });
  });

  it('without the marker is found by the tree that was seen before', async () => {
    const marker = newMarker();
    const { child, line } = await startFixture('keeps-nameless-session.sh', { [marker.name]: marker.value });
    const grandchild = trackPid(line);
    await becomes(grandchild, 'sleep');
    const report = await endProcess({ target: child, marker });
    expect(report.killed.map(({ pid }) => pid)).toEqual([grandchild]);
    expect(isLiving(grandchild)).toBe(false);
  });

  it('as a daemon is found by the marker, and without it is not', async () => {
    const marker = newMarker();
    const { child, line } = await startFixture('leaves-daemon.sh', { [marker.name]: marker.value });
    const daemon = trackPid(line);
    await child.exited;
    await becomesDaemon(daemon, 'sleep');
    expect(await endProcess({ target: child })).toMatchObject({ endedBy: 'itself', ...nothingLeft });
    expect(isLiving(daemon)).toBe(true);
    const report = await endProcess({ target: child, marker });
    expect({ ...report, killed: report.killed.map(({ pid }) => pid) }).toEqual({
      endedBy: 'itself',
      exit: { exitCode: 0, signal: null },
      killed: [daemon],
      alive: [],
    });
    expect(isLiving(daemon)).toBe(false);
  });

  it('in the group of a leader that is gone is killed', async () => {
    const { child, line } = await startFixture('keeps-child.sh');
    const grandchild = trackPid(line);
    const report = await endProcess({ target: child, ask: () => process.kill(child.pid, 'SIGKILL') });
    expect(report.endedBy).toBe('ask');
    expect(report.killed.map(({ pid }) => pid)).toEqual([grandchild]);
    expect(isLiving(grandchild)).toBe(false);
  });

  it('and starts again what is killed is killed with all of it', async () => {
    const { child, line } = await startFixture('respawns.sh');
    const supervisor = trackPid(line);
    await waitUntil('it leads a session', () => psField(supervisor, 'sess') === String(supervisor));
    const report = await endProcess({ target: child });
    expect(report.alive).toEqual([]);
    expect(report.killed.map(({ pid }) => pid)).toContain(supervisor);
    expect(new ProcessFamily({ root: child.identity }).look()).toEqual([]);
  });

  it('in the group of a leader that ended before anybody looked is killed', async () => {
    const { child, line } = await startFixture('leaves-child.sh');
    const grandchild = trackPid(line);
    await child.exited;
    const report = await endProcess({ target: child });
    expect(report.endedBy).toBe('itself');
    expect(report.killed.map(({ pid }) => pid)).toEqual([grandchild]);
    expect(isLiving(grandchild)).toBe(false);
  });

  it('may end by itself within the time to settle', async () => {
    const { child, line } = await startFixture('leaves-child.sh');
    const grandchild = trackPid(line);
    await child.exited;
    const ending = endProcess({ target: child, graceMs: { settle: 3_600_000 } });
    process.kill(grandchild, 'SIGTERM');
    expect(await ending).toEqual({ endedBy: 'itself', exit: { exitCode: 0, signal: null }, ...nothingLeft });
  });
});

describe('a process of an earlier life, known by its identity', () => {
  it('is ended, though nobody tells when', async () => {
    const { child } = await startFixture('ignores-sigterm.sh');
    expect(await endProcess({ target: child.identity, graceMs })).toEqual({
      endedBy: 'sigkill',
      exit: null,
      ...nothingLeft,
    });
    expect(await child.exited).toEqual({ exitCode: null, signal: 'SIGKILL' });
  });

  it('is left alone when its pid is somebody else by now', async () => {
    const { child } = await startFixture('exits-on-sigterm.sh');
    const former = { ...child.identity, startTime: '1' };
    expect(await endProcess({ target: former, graceMs })).toEqual({
      endedBy: 'itself',
      exit: null,
      ...nothingLeft,
    });
    expect(signalProcess(former, 'SIGKILL')).toBe(false);
    expect(signalGroup(former, 'SIGKILL')).toBe(false);
    expect(isLiving(child.pid)).toBe(true);
  });
});

// Which process takes orphans in differs between machines and containers.
function parentAfter(killed: readonly { ppid: number }[]): number | undefined {
  return killed[0]?.ppid;
}
