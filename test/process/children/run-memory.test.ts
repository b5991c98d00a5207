import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RunMemory } from '../../../src/process/children/run-memory.js';

let root: string;
let count = 0;
const files = () => ({ root, self: join(root, 'self') });
const run = () => `${process.pid}.${++count}`;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'handraise-cgroup-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('there is no group where no memory is counted, or nobody may make one', () => {
  expect([RunMemory.make(run(), files()), RunMemory.isPossible(files())]).toEqual([null, false]);
  writeFileSync(files().self, '4:cpu:/\n0::/mine\n');
  mkdirSync(join(root, 'mine'));
  expect([RunMemory.make(run(), files()), RunMemory.isPossible(files())]).toEqual([null, false]);
  expect(existsSync(join(root, 'mine', `handraise-run-${process.pid}.${count}`))).toBe(false);
});

test('with version 2 it is made where groups inside are bounded: here, else beside us', () => {
  writeFileSync(files().self, '0::/slice/unit\n');
  mkdirSync(join(root, 'slice/unit'), { recursive: true });
  writeFileSync(join(root, 'slice/cgroup.subtree_control'), 'cpu memory pids\n');
  // The kernel fills a new group with files; a folder has none, so the group is given up again.
  expect([RunMemory.make(run(), files()), RunMemory.isPossible(files())]).toEqual([null, true]);
  expect(existsSync(join(root, `slice/handraise-run-${process.pid}.${count}`))).toBe(false);
});

test('groups of dead runs are removed, others stay', () => {
  writeFileSync(files().self, '4:memory:/mine\n');
  for (const name of ['handraise-run-1.1', 'handraise-run-2.2', 'handraise-test-1.1', 'another'])
    mkdirSync(join(root, 'memory/mine', name), { recursive: true });
  RunMemory.sweep((marker) => marker === '2.2', files());
  expect(
    ['handraise-run-1.1', 'handraise-run-2.2', 'handraise-test-1.1', 'another'].map((name) =>
      existsSync(join(root, 'memory/mine', name)),
    ),
  ).toEqual([false, true, true, true]);
});
