import { expect, it } from 'vitest';
import { lineage } from '../../../src/process/families/lineage.js';
import { ProcessFamily } from '../../../src/process/families/process-family.js';
import { markedPids, readProcess, readProcesses } from '../../../src/process/families/process-table.js';
import { becomes, startFixture, trackPid } from '../fixture.js';

it('holds the root, its tree and what the tree left', async () => {
  const { child, line } = await startFixture('keeps-session.sh');
  const grandchild = trackPid(line);
  await becomes(grandchild, 'sleep');
  const family = new ProcessFamily({ root: child.identity });
  expect(new Set(pidsOf(family))).toEqual(new Set([child.pid, grandchild]));
  process.kill(child.pid, 'SIGKILL');
  await child.exited;
  expect(pidsOf(family)).toEqual([grandchild]);
  expect(pidsOf(new ProcessFamily({ root: child.identity }))).toEqual([]);
});

it('takes a group by its number only from a root that was watched', async () => {
  const { child, line } = await startFixture('leaves-child.sh');
  const member = trackPid(line);
  await child.exited;
  expect(pidsOf(new ProcessFamily({ root: child.identity, leadsGroup: true }))).toEqual([member]);
  expect(pidsOf(new ProcessFamily({ root: child.identity }))).toEqual([]);
});

it('leaves a group alone whose number is another leader now', async () => {
  const { child, line } = await startFixture('keeps-child.sh');
  trackPid(line);
  const former = { ...child.identity, startTime: '1' };
  expect(pidsOf(new ProcessFamily({ root: former, leadsGroup: true }))).toEqual([]);
  process.kill(-child.pgid, 'SIGKILL');
  await child.exited;
});

it('never holds this process or its ancestors, though they carry the marker', () => {
  const marker = { name: 'PATH', value: process.env['PATH'] ?? '' };
  expect(markedPids(marker)).toContain(process.pid);
  const own = lineage(readProcesses(), process.pid).map(({ pid }) => pid);
  const family = [...pidsOf(new ProcessFamily({ marker })), ...pidsOf(familyOf(process.ppid))];
  expect(own.filter((pid) => family.includes(pid))).toEqual([]);
});

function familyOf(pid: number): ProcessFamily {
  return new ProcessFamily({ root: readProcess(pid)?.identity });
}

function pidsOf(family: ProcessFamily): number[] {
  return family.look().map(({ pid }) => pid);
}
