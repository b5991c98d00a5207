import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parseMarked, parseTable, parseValues } from '../../../src/process/families/darwin-processes.js';
import { lineage } from '../../../src/process/families/lineage.js';
import { parseStat } from '../../../src/process/families/linux-processes.js';
import { isMarkedByOthers } from '../../../src/process/families/marked-ancestor.js';
import {
  findProcess,
  markedPids,
  readLine,
  readProcess,
  readProcesses,
  valuesInLine,
} from '../../../src/process/families/process-table.js';
import { waitUntil } from '../../harness/wait-until.js';
import { becomes, becomesDaemon, newMarker, psField, startFixture, trackPid } from '../fixture.js';

const pidsOf = (rows: readonly { readonly pid: number }[]) => rows.map(({ pid }) => pid);

describe('the table', () => {
  it('shows a tree as ps does', async () => {
    const { child, line } = await startFixture('keeps-session.sh');
    const grandchild = trackPid(line);
    await becomes(grandchild, 'sleep');
    const [row, ...others] = readProcesses().filter(({ ppid }) => ppid === child.pid);
    expect(others).toEqual([]);
    expect(row).toEqual({
      pid: grandchild,
      ppid: child.pid,
      pgid: Number(psField(grandchild, 'pgid')),
      sid: Number(psField(grandchild, 'sess')),
      state: 'S',
      name: 'sleep',
      identity: readProcess(grandchild)?.identity,
    });
    expect(row?.sid).toBe(grandchild);
    expect(
      lineage(readProcesses(), grandchild)
        .map(({ pid }) => pid)
        .slice(0, 3),
    ).toEqual([grandchild, child.pid, process.pid]);
    expect(pidsOf(readLine(grandchild))).toEqual(pidsOf(lineage(readProcesses(), grandchild)));
    process.kill(-child.pgid, 'SIGKILL');
    await child.exited;
  });

  it('leaves zombies out, which still have a row of their own', async () => {
    // exec makes the parent a program that never waits for the child that the shell started.
    const { child, line } = await startFixture('keeps-zombie.sh');
    const zombie = trackPid(line);
    await waitUntil('it is a zombie', () => psField(zombie, 'stat').startsWith('Z'));
    const row = readProcess(zombie);
    expect(row?.state).toBe('Z');
    expect(readProcesses().some(({ pid }) => pid === zombie)).toBe(false);
    expect(row && findProcess(row.identity)).toBeNull();
    process.kill(child.pid, 'SIGKILL');
    await child.exited;
  });
});

describe('an identity', () => {
  it('finds its process, and no other that got the pid', async () => {
    const { child } = await startFixture('exits-on-eof.sh');
    expect(findProcess(child.identity)?.pid).toBe(child.pid);
    expect(findProcess({ ...child.identity, startTime: '1' })).toBeNull();
    expect(findProcess({ ...child.identity, bootId: 'another boot' })).toBeNull();
    child.stdin.end();
    await child.exited;
    expect(findProcess(child.identity)).toBeNull();
  });
});

describe('a marker', () => {
  it('finds a daemon that nothing else connects to its run', async () => {
    const marker = newMarker();
    const { child, line } = await startFixture('leaves-daemon.sh', { [marker.name]: marker.value });
    const daemon = trackPid(line);
    await child.exited;
    await becomesDaemon(daemon, 'sleep');
    expect(lineage(readProcesses(), daemon).some(({ pid }) => pid === process.pid)).toBe(false);
    expect(markedPids(marker)).toEqual(new Set([daemon]));
    expect(valuesInLine(daemon, marker.name)).toEqual(new Set([marker.value]));
    expect(valuesInLine(process.pid, marker.name)).toEqual(new Set());
    expect(valuesInLine(daemon, marker.name.slice(1))).toEqual(new Set());
    expect(isMarkedByOthers(daemon, marker.name)).toBe(true);
    expect(isMarkedByOthers(process.pid, marker.name)).toBe(false);
    expect(markedPids({ ...marker, value: marker.value.slice(1) })).toEqual(new Set());
  });

  it('marks what a marked process started with an empty environment', async () => {
    const marker = newMarker();
    const { child, line } = await startFixture('keeps-nameless-session.sh', { [marker.name]: marker.value });
    const unmarked = trackPid(line);
    await becomes(unmarked, 'sleep');
    expect(isMarkedByOthers(unmarked, marker.name)).toBe(true);
    process.kill(-child.pgid, 'SIGKILL');
    await child.exited;
  });
});

describe('/proc/<pid>/stat', () => {
  it('may hold a name made to confuse', () => {
    const fields = Array.from({ length: 50 }, (_, index) => String(index + 3));
    expect(parseStat(`77 (a) S 1 (b\n) S ${fields.slice(1).join(' ')}\n`, 'boot')).toEqual({
      pid: 77,
      ppid: 4,
      pgid: 5,
      sid: 6,
      state: 'S',
      name: 'a) S 1 (b\n',
      identity: { pid: 77, startTime: '22', bootId: 'boot' },
    });
    expect(parseStat('', 'boot')).toBeNull();
  });
});

describe('ps, for macOS', () => {
  it('shows the same tree', () => {
    const columns = 'pid=,ppid=,pgid=,state=,lstart=,ucomm=';
    const output = execFileSync('ps', ['-A', '-o', columns], { encoding: 'utf8', env: { LC_ALL: 'C' } });
    const own = parseTable(output, 'boot').find(({ pid }) => pid === process.pid);
    const started = psField(process.pid, 'lstart').split(/\s+/).join(' ');
    expect(own).toEqual({
      pid: process.pid,
      ppid: process.ppid,
      pgid: readProcess(process.pid)?.pgid,
      sid: null,
      state: own?.state,
      name: own?.name,
      identity: { pid: process.pid, startTime: started, bootId: 'boot' },
    });
  });

  it('shows who carries a marker', () => {
    const output = [
      '    1 /sbin/launchd',
      '  812 node agent.js HOME=/Users/x HANDRAISE_RUN=run_1 LANG=C',
      '  813 sleep 3 HANDRAISE_RUN=run_12',
      '',
    ].join('\n');
    expect(parseMarked(output, 'HANDRAISE_RUN=run_1')).toEqual(new Set([812]));
    expect(parseValues(output, 'HANDRAISE_RUN')).toContain('run_1');
  });
});
