import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isSentinelWrite } from '../../src/runtimes/sentinel-write.js';

let root: string;
let cwd: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'handraise-write-'));
  cwd = join(root, 'workspace');
  mkdirSync(cwd);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('in a container its path is another one', () => {
  const container = {
    spec: { image: 'x' },
    runtime: 'claude',
    client: { file: '', env: {} },
    folder: '',
  } as const;
  expect(isSentinelWrite({ cwd, container }, '/workspace/.agora/needs_input.json')).toBe(true);
  expect(isSentinelWrite({ cwd }, '/workspace/.agora/needs_input.json')).toBe(false);
});

test('exactly the needs-input file of the workspace, by any way to write its path', () => {
  expect(isSentinelWrite({ cwd }, join(cwd, '.agora/needs_input.json'))).toBe(true);
  expect(isSentinelWrite({ cwd }, '.agora/needs_input.json')).toBe(true);
  expect(isSentinelWrite({ cwd }, join(cwd, 'src/../.agora/./needs_input.json'))).toBe(true);
  symlinkSync(cwd, join(root, 'link'));
  expect(isSentinelWrite({ cwd: join(root, 'link') }, join(cwd, '.agora/needs_input.json'))).toBe(true);
  expect(isSentinelWrite({ cwd }, join(root, 'link/.agora/needs_input.json'))).toBe(true);
});

test.each([
  ['another file in the folder', '.agora/other.json'],
  ['the same name elsewhere', 'src/.agora/needs_input.json'],
  ['outside', '../.agora/needs_input.json'],
  ['a longer name', '.agora/needs_input.json.sh'],
  ['through the file', '.agora/needs_input.json/../../x'],
  ['no path at all', undefined],
  ['a number', 7],
])('not %s', (_name, path) => {
  expect(isSentinelWrite({ cwd }, path)).toBe(false);
});

test('not where a link would lead the write elsewhere', () => {
  mkdirSync(join(root, 'outside'));
  symlinkSync(join(root, 'outside'), join(cwd, '.agora'));
  expect(isSentinelWrite({ cwd }, '.agora/needs_input.json')).toBe(false);
  expect(isSentinelWrite({ cwd }, join(root, 'outside/needs_input.json'))).toBe(false);
  rmSync(join(cwd, '.agora'));
  mkdirSync(join(cwd, '.agora'));
  writeFileSync(join(root, 'outside/target'), '');
  symlinkSync(join(root, 'outside/target'), join(cwd, '.agora/needs_input.json'));
  expect(isSentinelWrite({ cwd }, '.agora/needs_input.json')).toBe(false);
});
