import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OomWatch, oomKills } from '../../../src/process/children/oom-watch.js';

let root: string;
const self = () => join(root, 'self');
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'handraise-cgroup-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('the count is read from version 2, else from version 1, else it is unknown', () => {
  expect(oomKills({ root, self: self() })).toBeNull();
  writeFileSync(self(), '4:memory:/mine\n0::/\n');
  expect(oomKills({ root, self: self() })).toBeNull();
  mkdirSync(join(root, 'memory/mine'), { recursive: true });
  writeFileSync(
    join(root, 'memory/mine/memory.oom_control'),
    'oom_kill_disable 0\nunder_oom 0\noom_kill 3\n',
  );
  expect(oomKills({ root, self: self() })).toBe(3);
  writeFileSync(self(), '0::/mine\n');
  mkdirSync(join(root, 'mine'));
  writeFileSync(join(root, 'mine/memory.events'), 'low 0\noom 2\noom_kill 2\n');
  expect(oomKills({ root, self: self() })).toBe(2);
});

test('a watch sees a kill after its start, and nothing where nothing can be read', () => {
  let count: number | null = 5;
  const watch = new OomWatch(() => count);
  expect(watch.sawKill()).toBe(false);
  count = 6;
  expect(watch.sawKill()).toBe(true);
  count = null;
  expect([watch.sawKill(), new OomWatch(() => count).sawKill()]).toEqual([false, false]);
});
